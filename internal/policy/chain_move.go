package policy

// A key goes to another share when the pools of its queue change, and items of it
// may be left in older ones. The chain in the new share waits for those, with
// nothing listed: what arrives is held, as if its first item were elsewhere. So a key
// waits for its own items alone, and no key for another.

// Await says that so many older shares may have items of the key; each will be
// heard of. It is said of a chain that is empty.
func (c *Chain) Await(older int) {
	c.older = older
	c.first = older > 0
}

// Awaits says whether items of the key may still be in older shares.
func (c *Chain) Awaits() bool { return c.older > 0 }

// Ended says that an older share has no items of the key, and gets none. It tells
// whether that was the last: then the chain follows.
func (c *Chain) Ended() (follow bool) {
	c.older--
	return c.older == 0
}
