package actors

import (
	"context"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// atOnce is given by who does not wait for room.
var atOnce context.Context

// take takes room for one item of a caller's: at once, or in the place of another
// item or, with a context, when there is some.
func (b *bound) take(ctx context.Context, q *Queue, chained bool) error {
	switch {
	case b.try():
		return nil
	case b.full == policy.DropOldest:
		return b.replace(q)
	case ctx == nil:
		return messages.ErrFull
	}
	return b.wait(ctx, q, chained)
}

// wait waits for room, behind those that began to wait before.
func (b *bound) wait(ctx context.Context, q *Queue, chained bool) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	var refused chan error
	if x := inside(ctx); x != nil {
		e, err := x.enter(ctx, "wait for room in", &roomWait{queue: q})
		if err != nil {
			return err
		}
		defer e.leave()
		refused = e.refused
	}
	for {
		shut := *b.shut.Load()
		if fl := q.shut(chained); fl != 0 {
			return why(fl)
		}
		select {
		case b.room <- struct{}{}:
			return nil
		case <-shut: // and look again: an item of the queue may still be taken
		case err := <-refused:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// within calls accept with room for an item, which is given back on an error.
// What needs no room to be refused is refused first. A nil it is a closure.
func (q *Queue) within(ctx context.Context, it *messages.Item, f messages.Func, chained bool, accept func() error) error {
	if f == nil {
		return messages.ErrNoFunc
	}
	if fl := q.shut(chained); fl != 0 {
		if it == nil {
			return why(fl)
		}
		if err := q.refuses(fl, it); err != nil {
			return err
		}
		chained = true
	}
	if it != nil {
		if err := taken(it); err != nil {
			return err
		}
	}
	if err := q.bound.take(ctx, q, chained); err != nil {
		return err
	}
	err := accept()
	if err != nil {
		q.bound.give()
	}
	return err
}

// taken says why an item could not be claimed just now; as claim it makes what the
// caller wrote before visible to the execution that is pending.
func taken(it *messages.Item) error {
	for {
		s := it.State()
		switch {
		case s&messages.Pending == 0 && s.Depth() > 0:
			return messages.ErrDisabled
		case s&messages.Pending == 0:
			return nil
		case it.Swap(s, s):
			return messages.ErrPending
		}
	}
}

// QueueContext is Queue, and waits for room in a bounded queue.
func (q *Queue) QueueContext(ctx context.Context, it *messages.Item, f messages.Func, chained bool) error {
	if q.bound == nil {
		return q.Queue(it, f, chained)
	}
	return q.within(ctx, it, f, chained, func() error {
		t := q.table.Load()
		return q.queueOn(t, t.choose(), messages.AnyCPU, it, f, chained)
	})
}

// GoContext is Go, and waits for room in a bounded queue.
func (q *Queue) GoContext(ctx context.Context, f messages.Func, chained bool) error {
	if q.bound == nil {
		return q.Go(f, chained)
	}
	return q.within(ctx, nil, f, chained, func() error { return q.goNow(f, chained) })
}

// moveRoom takes room for an item that the caller took while it was pending, unless it is
// refused: it has some if that was at this queue, and gives some back if at another.
func (q *Queue) moveRoom(from *Queue, refused error) error {
	if from != q || refused != nil {
		from.bound.give()
	}
	if refused != nil || from == q || q.bound == nil {
		return refused
	}
	return q.bound.take(atOnce, q, false)
}
