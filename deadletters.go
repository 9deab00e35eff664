package cmwq

import "context"

// DeadLetters gives the items that failed for good and that the queue has kept, oldest
// first: those for which its strategy said supervisor.DeadLetter, which publishes each
// as an event, too. ErrDestroyed and ErrStopped after its end: they go with it. A message
// to the queue's actor.
func (q *Queue) DeadLetters(ctx context.Context) ([]DeadLetter, error) {
	return q.q.DeadLetters(ctx)
}

// Requeue queues dead letters anew, with attempt 1, each with its key and, on a PerCPU
// queue, on its CPU; all, if none is named. It says how many. One that is refused
// (ErrPending, ErrDisabled, ErrDraining...) stays a dead letter, and the error says why.
// One that is named and not there is passed over: it was queued anew, discarded, or had
// to make room. The Future of a dead letter keeps the error that it has.
func (q *Queue) Requeue(ids ...uint64) (n int, err error) { return q.q.Requeue(ids, q.chained) }

// Discard forgets dead letters; all, if none is named. It says how many.
func (q *Queue) Discard(ids ...uint64) (n int, err error) { return q.q.Discard(ids) }
