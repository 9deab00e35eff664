package messages

import "context"

// made is the context.Context of the item. Who has derived a context may ask for it
// after the item has ended: package context does, from a timer that fires just then.
// By that time the worker is at another item, so it is not asked again.
func (c *Context) made() context.Context {
	if x := c.own.Load(); x != nil {
		return *x
	}
	x := c.host.Context()
	c.own.Store(&x)
	return x
}

// Next gives the Context of the worker's next item, if this one was made.
func (c *Context) Next() *Context { return &Context{host: c.host, atomic: c.atomic} }
