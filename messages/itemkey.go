package messages

// ItemKey finds the item that a context belongs to: the value of a Context, and of
// every context derived from it, is that *Context.
type ItemKey struct{}

// Host is the worker behind the Context, for the engine.
func (c *Context) Host() Host { return c.host }
