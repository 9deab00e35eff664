package cmwq

import (
	"context"
	"fmt"
	"math"

	"github.com/cmwq/cmwq/internal/policy"
)

// WhenFull says what a bounded queue does with an item for which it has no room.
type WhenFull = policy.WhenFull

// What a bounded queue does when it is full.
const (
	// Refuse accepts no more: Queue and Go return ErrFull, QueueContext and
	// GoContext wait.
	Refuse = policy.Refuse
	// DropOldest accepts it, and drops the item that waits longest in the pool that
	// it finds first: that one will not run. A Future says ErrDropped then, a Work is
	// idle, Stats count it as Dropped, and an event *messages.Dropped is published
	// on the actor system's event stream. What is armed is never dropped: ErrFull if
	// nothing else waits.
	DropOldest = policy.DropOldest
)

// Bounded limits the items of the queue that were accepted and have not begun to n,
// at least 1, exactly: whatever the pools are at, however many callers. Running items
// do not count (see MaxActive). An armed item has its room from the moment it is
// armed, so that it is never dropped for want of room when it is due; an item that
// queues itself again needs room as any other; one that is Modified keeps it. A
// periodic item that comes due when there is none misses that instant, whatever full
// says.
//
// Room comes free when an item begins, is cancelled or is dropped. Callers that wait
// for it, by QueueContext and GoContext, get it in order, and before those who do not
// wait. Works with every kind of queue, and costs about 50 ns an item; with DropOldest
// a full queue costs a message to the pool for each. Queues without it pay nothing.
//
// The kernel has no such limit: its callers may not be refused.
func Bounded(n int, full WhenFull) QueueOption {
	return func(o *queueOptions) { o.Bound, o.WhenFull, o.bounded = n, full, true }
}

func (o *queueOptions) checkBound() error {
	if o.bounded && (o.Bound < 1 || o.Bound > math.MaxInt32 || !o.WhenFull.Valid()) {
		return fmt.Errorf("%w: Bounded(%d, %d)", ErrOption, o.Bound, o.WhenFull)
	}
	return nil
}

// QueueContext is Queue, and waits for room in a bounded queue, in line with others
// that wait; inside an item, as a declared sleep. It returns context.Cause(ctx) when
// ctx ends first, ErrDraining, ErrDestroyed or ErrStopped as soon as the queue begins
// to refuse, and *DeadlockError inside an item if all that hold the queue's slots wait
// for each other.
// A w that is pending is not waited for: ErrPending.
func (q *Queue) QueueContext(ctx context.Context, w *Work) error {
	return q.q.QueueContext(ctx, &w.item, w.Func, q.chained)
}

// GoContext is Go, and waits for room in a bounded queue as QueueContext does.
func (q *Queue) GoContext(ctx context.Context, f func(*Context) error) error {
	return q.q.GoContext(ctx, f, q.chained)
}

// QueueContext is Queue, and waits for room in a bounded queue.
func (k *Keyed) QueueContext(ctx context.Context, w *Work) error {
	return k.k.QueueContext(ctx, &w.item, w.Func, k.chained)
}

// GoContext is Go, and waits for room in a bounded queue.
func (k *Keyed) GoContext(ctx context.Context, f func(*Context) error) error {
	return k.k.GoContext(ctx, f, k.chained)
}

// ContextQueuer is a Queuer that can wait for room, see Bounded.
type ContextQueuer interface {
	QueueContext(ctx context.Context, w *Work) error
}

// SubmitContext is Submit, and waits for room in a bounded queue as QueueContext does.
func SubmitContext[T any](ctx context.Context, q ContextQueuer, f func(*Context) (T, error)) *Future[T] {
	return submitIn(q, f, func(w *Work) error { return q.QueueContext(ctx, w) })
}
