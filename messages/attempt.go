package messages

// Attempt is which execution of the item this is: 1 at first, 2 in the first retry by
// its queue's strategy, and so on. Who queues the item anew begins with 1.
func (c *Context) Attempt() int {
	if t := c.host.Tries(); t != nil {
		return t.Count + 1
	}
	return 1
}

// LastError is how the execution before this retry failed; nil at the first attempt.
func (c *Context) LastError() error {
	if t := c.host.Tries(); t != nil {
		return t.Last
	}
	return nil
}
