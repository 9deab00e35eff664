package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Carry is what travels with an item from the one who queues it. It is made once for
// any number of items.
type Carry struct {
	values context.Context   // I: where the item's context looks values up that it has not; nil: nowhere
	cancel context.Context   // I: the item should end with it; nil: with none
	limits policy.TimeLimits // I:
}

// NewCarry takes from ctx what an item may have: its values, and if it is asked for its
// cancellation and deadline.
func (q *Queue) NewCarry(ctx context.Context, cancel, deadline bool, l policy.TimeLimits) *Carry {
	c := &Carry{limits: l}
	at, ok := ctx.Deadline() // makes the context of an item: it is there after the item, too
	c.values = context.WithoutCancel(ctx)
	if x, ok := ctx.(*messages.Context); ok { // an item that queues itself for ever makes no chain
		c.values, _ = x.Value(valuesKey{}).(context.Context)
	}
	if ok && (cancel || deadline) {
		c.limits.Until = at.Sub(q.sys.base)
	}
	if cancel && ctx.Done() != nil {
		c.cancel = ctx
	}
	return c
}

// Limits are those of the items, beside the queue's.
func (c *Carry) Limits() policy.TimeLimits { return c.limits }

// Over says why nothing should be queued any more: the submitter has been cancelled,
// or its deadline has come.
func (c *Carry) Over(now time.Duration) error {
	if c.cancel != nil && c.cancel.Err() != nil {
		return context.Cause(c.cancel)
	}
	if c.limits.Until != 0 && now >= c.limits.Until {
		return context.DeadlineExceeded
	}
	return nil
}

// Cancelled is the failure of an item whose submitter was cancelled before it began.
func (c *Carry) Cancelled() error {
	if c.cancel == nil || c.cancel.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: its submitter was: %w", messages.ErrCancelled, context.Cause(c.cancel))
}

// OnCancel calls f when the submitter is cancelled, unless stop is called before.
func (c *Carry) OnCancel(f func(why error)) (stop func() bool) {
	if c.cancel == nil {
		return nil
	}
	return context.AfterFunc(c.cancel, func() {
		if !errors.Is(c.cancel.Err(), context.DeadlineExceeded) { // else the item has the same deadline
			f(context.Cause(c.cancel))
		}
	})
}

// Wrap gives f what travels with it. came is when the item comes to its queue. One
// allocation.
//
//go:noinline
func (c *Carry) Wrap(f messages.Func, came time.Duration) messages.Func {
	return func(ctx *messages.Context) error {
		if q := messages.Inquired(ctx); q != nil {
			if q.Calls, q.Values = f, c.values; q.Came != 0 {
				q.Anew = c.Wrap(f, q.Came)
			}
			return nil
		}
		return ctx.Host().(*worker).carried(ctx, c, f, came)
	}
}

var carryCode = messages.Wrapper((*Carry)(nil).Wrap(nil, 0))

// carried calls f, unless it is too late, with what travels with it.
func (w *worker) carried(ctx *messages.Context, c *Carry, f messages.Func, came time.Duration) error {
	if err := w.turn(c.limits, f, came); err != nil {
		return err
	}
	if err := c.Cancelled(); err != nil {
		w.notCalled(f, err)
		return err
	}
	return w.callWith(ctx, f, c.limits.And(w.home.queue.opts.Limits), c)
}

// valuesKey finds the values that an item's context was given.
type valuesKey struct{}

// valued is a context that looks up elsewhere what it does not know.
type valued struct {
	context.Context
	more context.Context
}

// Value asks the item's own context first: package context finds its parents by values.
func (v valued) Value(key any) any {
	if key == (valuesKey{}) {
		return v.more
	}
	if x := v.Context.Value(key); x != nil {
		return x
	}
	return v.more.Value(key)
}
