package messages

// ItemKey is the key under which a Context, and every context derived from it,
// gives the *Context itself: a call that gets such a context knows which item
// makes it.
type ItemKey struct{}
