package messages

import "context"

// NewAtomicContext gives the Context of a runner whose items may not sleep.
func NewAtomicContext(h Host) *Context { return &Context{host: h, atomic: true} }

// MayWait says whether the caller may wait with ctx: ErrAtomic if ctx comes from an
// item of a BH queue, which may not. A wait without the item's ctx is not seen.
func MayWait(ctx context.Context) error {
	if c, ok := ctx.Value(ItemKey{}).(*Context); ok && c.atomic {
		return ErrAtomic
	}
	return nil
}
