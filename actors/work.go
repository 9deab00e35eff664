package actors

import (
	"context"
	"errors"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Cancel takes a pending item off, and says whether it did. It does not wait for
// an execution. (kernel: cancel_work)
func Cancel(it *messages.Item) bool { return cancel(it, false) }

// cancel is that; fails says that the item counts as failed, and not as cancelled.
func cancel(it *messages.Item, fails bool) bool {
	var again backoff
	for {
		s := it.State()
		if s&messages.Pending == 0 {
			return false
		}
		if s&messages.Delayed != 0 {
			if d, ok := places.get(s.Place()).(*delayer); ok && d.cancel(it, fails) {
				return true
			}
		}
		a := borrowAsk(askCancel, it)
		a.fails = fails
		v := a.send(s.Place())
		a.giveBack()
		switch v {
		case removed:
			return true
		case stopped:
			return false
		default:
		}
		again.pause() // its queuer is between claiming and listing it
	}
}

// Disable raises the disable depth, takes the item off, and waits for an
// execution to end. (kernel: disable_work_sync)
func Disable(ctx context.Context, it *messages.Item) (wasPending bool, err error) {
	return disable(ctx, it, "disable")
}

func disable(ctx context.Context, it *messages.Item, op string) (wasPending bool, err error) {
	if err := deepen(it); err != nil {
		return false, err
	}
	return stopAndWait(ctx, it, op)
}

// deepen raises the disable depth.
func deepen(it *messages.Item) error {
	for {
		s := it.State()
		if s.Depth() == messages.MaxDepth {
			return messages.ErrDepth
		}
		if it.Swap(s, s.Deeper()) {
			return nil
		}
	}
}

// stopAndWait takes a disabled item off, and waits for an execution to end.
func stopAndWait(ctx context.Context, it *messages.Item, op string) (wasPending bool, err error) {
	var again backoff
	for {
		s := it.State()
		at := s.Place()
		if s&messages.Pending == 0 {
			if s&messages.Running == 0 {
				return wasPending, nil
			}
			if x := inside(ctx); x != nil && s.RunBy(x.worker.runs) {
				return wasPending, x.itself(op, x.party()) // before it is told to end
			}
			at = s.Runner()
		}
		a := newAsk(askStop, it)
		switch a.send(at) {
		case removed:
			wasPending = true
		case waiting:
			if err := a.await(ctx, op); err != nil {
				return wasPending, err
			}
		case stopped:
			return wasPending, messages.ErrStopped
		default:
			if ctx.Err() != nil {
				return wasPending, context.Cause(ctx)
			}
			again.pause()
		}
	}
}

// CancelWait is Disable, and Enable afterwards. (kernel: cancel_work_sync)
func CancelWait(ctx context.Context, it *messages.Item) (wasPending bool, err error) {
	wasPending, err = disable(ctx, it, "cancel")
	if !errors.Is(err, messages.ErrDepth) {
		_, _ = Enable(it)
	}
	return wasPending, err
}

// Enable lowers the disable depth and says how deep the item still is. It queues
// nothing. (kernel: enable_work)
func Enable(it *messages.Item) (depth int, err error) {
	for {
		s := it.State()
		if s.Depth() == 0 {
			return 0, messages.ErrEnabled
		}
		if it.Swap(s, s.Shallower()) {
			return s.Depth() - 1, nil
		}
	}
}

// Init forgets all of an idle item's state, and says whether it is idle.
func Init(it *messages.Item) bool {
	s := it.State()
	return s&(messages.Pending|messages.Running) == 0 && it.Swap(s, 0)
}

// Flush waits until the last queued instance of the item has ended; an armed one
// is queued at once. It is done at once when the item is idle. (kernel:
// flush_delayed_work)
func Flush(ctx context.Context, it *messages.Item) error { return flush(ctx, it, false) }

// flush is that; sent says that the instance which is waited for was armed, and that it
// was queued since.
func flush(ctx context.Context, it *messages.Item, sent bool) error {
	var again backoff
	for {
		s := it.State()
		at := s.Place()
		if s&messages.Pending == 0 || sent && s&messages.Delayed != 0 { // what is armed by now is a later one
			if s&messages.Running == 0 {
				return nil
			}
			at = s.Runner()
		}
		a := newAsk(askFlush, it)
		switch a.send(at) {
		case queued:
			sent = true
			continue
		case waiting:
			warnDependency(ctx, a.on)
			if err := a.await(ctx, "flush"); !errors.Is(err, errMoved) {
				return err
			}
		case stopped:
			return messages.ErrStopped
		default:
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		again.pause()
	}
}

// Modify makes a pending or idle item due after d on a CPU, and says whether it
// was pending. Nobody can queue it in between. (kernel: mod_delayed_work_on)
func (q *Queue) Modify(d time.Duration, cpu int, it *messages.Item, f func(*messages.Context) error, chained bool) (wasPending bool, err error) {
	return q.modify(d, cpu, it, f, chained, &q.home)
}

// modify is that, for the queue or for a key of it.
func (q *Queue) modify(d time.Duration, cpu int, it *messages.Item, f func(*messages.Context) error, chained bool, home *messages.Home) (wasPending bool, err error) {
	if f == nil {
		return false, messages.ErrNoFunc
	}
	to, err := q.at(cpu)
	if err != nil {
		return false, err
	}
	due := q.sys.due(d)
	var from *Queue    // where it was pending
	var after []waiter // who waits for that
	var again backoff
	for {
		s := it.State()
		if s&messages.Pending == 0 {
			if claimed, err := q.claimIdle(s, d, it, chained); err != nil {
				return false, err
			} else if claimed {
				break
			}
			again.pause()
			continue
		}
		moves := s&messages.Delayed != 0 && d > 0 && s.Depth() == 0
		if moves && s.Place() == q.sys.delayer.id && q.sys.delayer.later(it, due, uint16(cpu), f, home) {
			return true, nil
		}
		a := borrowAsk(askGrab, it)
		if moves {
			a.what, a.when, a.home, a.cpu, a.f = askModify, due, home, uint16(cpu), f
		}
		v, moved := a.send(s.Place()), a.what == askModify
		from, after = a.on, a.after
		a.giveBack()
		if v == stopped {
			return false, messages.ErrStopped
		}
		if v == removed && moved {
			return true, nil
		}
		if v == removed {
			wasPending = true
			break
		}
		from, after = nil, nil
		again.pause()
	}
	if wasPending {
		err = q.moveRoom(from, q.refusesAgain(d, it, chained))
	}
	if err == nil {
		if err = q.again(d, due, cpu, to, it, f, home, after); err != nil {
			q.bound.give()
		}
	}
	if err != nil {
		if from != nil {
			from.gets().cancelled.Add(1)
			from.refused(it, err)
		}
		idleItem(it)
		releaseAll(after, nil, err)
	}
	return wasPending, err
}

// again queues or arms such an item.
func (q *Queue) again(d time.Duration, due int64, cpu int, to *share, it *messages.Item, f func(*messages.Context) error, home *messages.Home, after []waiter) error {
	it.Func = f
	it.Tried(nil)
	if d > 0 {
		return q.armWith(due, cpu, it, home, after)
	}
	q.stamp(q.shareFor(home, to), cpu, it)
	t := q.table.Load()
	err := q.placeWith(home, to, it, after)
	if err != nil {
		q.sys.obs.cancelled(it, err)
	}
	q.settled(t)
	return err
}
