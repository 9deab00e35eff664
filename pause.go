package cmwq

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// Pause stops the queue: a Freeze of this queue alone, whether it is Freezable or not.
// Items that hold a slot of MaxActive go on, running or waiting for a worker; what is
// queued later, and what waits for a slot, waits for Resume, and counts as Inactive. It
// returns when nothing of the queue is active any more.
//
// Timers go on, and queue what is due. Cancel works on what waits; Flush, Drain and
// Destroy wait for it, and so for Resume. A queue that is paused and frozen goes on after
// both Resume and Thaw. Stop resumes.
//
// When ctx ends first Pause returns context.Cause(ctx), and the queue stays as it is, as
// it does when Pause is called twice. ErrResumed if a Resume came first, ErrSystemQueue,
// ErrDestroyed also of a queue that ends, ErrStopped, *DeadlockError in an item of the
// queue, or in one that such an item waits for, ErrAtomic in an item of a BH queue. One
// message a pool. (kernel: none for one queue; see Freeze)
func (q *Queue) Pause(ctx context.Context) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	return q.q.Pause(ctx)
}

// Resume ends a pause: what waits starts in the order of queueing, as far as MaxActive
// allows. Nothing happens if the queue is not paused. ErrSystemQueue, ErrDestroyed,
// ErrStopped.
func (q *Queue) Resume() error { return q.q.Resume() }

// Paused says whether the queue is paused, or comes to rest.
func (q *Queue) Paused() bool { return q.q.Paused() }
