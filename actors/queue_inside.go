package actors

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// flushInside is a Flush by an item. It is asked for before it is looked at: only
// then is it known which items it waits for.
func (q *Queue) flushInside(ctx context.Context, x *itemContext, m *messages.Flush, done chan error) error {
	if x.queue == q {
		return x.itself("flush", q.party())
	}
	on := &queueWait{queue: q, done: done}
	begun, again := make(chan struct{}), false
	m.Epoch = func(epoch uint32) {
		if on.epoch.Store(epoch); again {
			x.lookAgainSoon() // it waits for items that it did not wait for before
			return
		}
		again = true
		close(begun)
	}
	q.send(m)
	select {
	case <-begun:
	case err := <-done:
		return err
	case <-q.gone.done():
		return q.answer(ctx, done, nil)
	case <-q.sys.gone:
		return q.answer(ctx, done, nil)
	}
	e, err := x.enter(ctx, "flush", on)
	if err != nil {
		q.send(&messages.Forget{Done: done})
		return err
	}
	defer e.leave()
	return q.answer(ctx, done, e.refused)
}

// end drains or destroys, and gives the flags from before. The queue refuses work from
// now on, though its actor may not have begun, so that it does when a caller gave up.
// An item that may not is told so before anything happens.
func (q *Queue) end(ctx context.Context, op string, flags uint32, msg any, done chan error) (before uint32, err error) {
	var refused <-chan error
	if x := inside(ctx); x != nil {
		if x.queue == q {
			return 0, x.itself(op, q.party())
		}
		e, err := x.enter(ctx, op, &queueWait{queue: q, all: true, done: done})
		if err != nil {
			return 0, err
		}
		defer e.leave()
		refused = e.refused
	}
	before = q.raise(flags)
	q.send(msg)
	return before, q.answer(ctx, done, refused)
}
