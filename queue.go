package cmwq

import (
	"context"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Queue accepts work items. It owns no goroutines: pools that other queues share
// run its items. Its methods are safe for concurrent use.
type Queue struct {
	q       *actors.Queue
	sys     *System
	chained bool // the caller is one of its items
}

// Name is the queue's name.
func (q *Queue) Name() string { return q.q.Name() }

// Queue queues w to run once. It returns nil, or why w was not accepted:
// ErrPending (it is queued or armed already, and will run), ErrDisabled,
// ErrDraining, ErrDestroyed, ErrStopped, ErrNoFunc.
//
// It may be called while w runs, from w's own function too: w then runs again
// afterwards, on the same pool. It does not allocate. About 30 ns.
// (kernel: queue_work)
func (q *Queue) Queue(w *Work) error { return q.q.Queue(&w.item, w.Func, q.chained) }

// QueueOn is Queue for the pool of a logical CPU. ErrCPU if there is no such CPU.
// (kernel: queue_work_on)
func (q *Queue) QueueOn(cpu int, w *Work) error {
	return q.q.QueueOn(cpu, &w.item, w.Func, q.chained)
}

// QueueAfter arms w: it is pending from now on, and queued after d; at once if d
// is not positive. Resolution is that of the runtime's timers. Errors are those of
// Queue. A message to the delayer; O(log n) for n armed items.
// (kernel: queue_delayed_work)
func (q *Queue) QueueAfter(d time.Duration, w *Work) error {
	return q.q.QueueAfter(d, messages.AnyCPU, &w.item, w.Func, q.chained)
}

// Modify makes w due d from now, with its present Func, whether it is armed, queued or
// idle, and says whether it was pending. A d of 0 moves it to the end of the queue.
// Errors are those of Queue but ErrPending; a w that was pending, and that the queue
// does not take, is idle afterwards.
// (kernel: mod_delayed_work)
func (q *Queue) Modify(d time.Duration, w *Work) (wasPending bool, err error) {
	return q.q.Modify(d, messages.AnyCPU, &w.item, w.Func, q.chained)
}

// Go queues a function to run once. Errors are those of Queue but ErrPending and
// ErrDisabled. It allocates nothing itself in steady state.
func (q *Queue) Go(f func(*Context) error) error { return q.q.Go(f, q.chained) }

// Flush waits until everything that was queued before the call has ended. It
// does not wait for armed items, nor for what is queued later. Any number of
// flushes may wait at once.
//
// An item passes its own context, or one derived from it: then another worker
// starts while it waits, and a wait that would never end is a *DeadlockError at
// once: that of an item for its own queue, or for a queue one of whose items waits
// for it. So do Drain and Destroy; what was refused has not begun.
// (kernel: flush_workqueue)
func (q *Queue) Flush(ctx context.Context) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	return q.q.Flush(ctx)
}

// Drain refuses work from outside (ErrDraining) until nothing is queued or runs
// any more. Items may go on to queue themselves, or others with the queue that
// CurrentQueue gives. A timer that fires meanwhile finds the queue closed: its item
// is dropped, counted and logged. An item that queues itself for ever keeps a drain
// from ending; a warning is logged after 10 passes, 100, 200 and so on up to 1000.
//
// When ctx ends first it returns context.Cause(ctx); the queue is drained all the
// same, and takes work again after that. ErrSystemQueue, ErrDestroyed, ErrStopped.
// (kernel: drain_workqueue)
func (q *Queue) Drain(ctx context.Context) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	return q.q.Drain(ctx)
}

// Destroy refuses work for good (ErrDestroyed), cancels and reports armed items,
// drains, and gives the name free. An armed Work is idle afterwards and has not
// run: Stats count it as Dropped, the log says how many there were.
//
// Any number may call it: each returns when the queue has ended, the first with nil,
// the others with ErrDestroyed. When ctx ends first the error is a *StopError that says
// what is left (and ErrDestroyed as well, if another was first); the queue ends when
// that has. ErrSystemQueue, ErrStopped. (kernel: destroy_workqueue, which may be
// called once)
func (q *Queue) Destroy(ctx context.Context) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	return q.q.Destroy(ctx)
}

// SetMaxActive changes MaxActive. Raising it starts waiting items; lowering it
// stops none. ErrOrdered on an ordered queue, ErrBH on a BH queue, ErrSystemQueue; all
// are logged.
// (kernel: workqueue_set_max_active)
func (q *Queue) SetMaxActive(n int) error { return q.q.SetMaxActive(n) }

// Stats asks each pool in turn; the numbers are not of one instant. When the
// system has ended it returns ErrStopped, and Dropped all the same.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	s, err := q.q.Stats(ctx)
	return s.Stats(), err
}
