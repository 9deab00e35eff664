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
	epoch := make(chan uint32, 1)
	m.Epoch = epoch
	q.send(m)
	on := &queueWait{queue: q, done: done}
	select {
	case on.epoch = <-epoch:
	case err := <-done:
		return err
	case <-q.gone:
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

// end drains or destroys. An item that may not is told so before it begins.
func (q *Queue) end(ctx context.Context, op string, msg any, done chan error) error {
	x := inside(ctx)
	if x == nil {
		return q.ask(ctx, msg, done)
	}
	if x.queue == q {
		return x.itself(op, q.party())
	}
	e, err := x.enter(ctx, op, &queueWait{queue: q, all: true, done: done})
	if err != nil {
		return err
	}
	defer e.leave()
	q.send(msg)
	return q.answer(ctx, done, e.refused)
}
