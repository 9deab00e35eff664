package cmwq

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/supervisor"
)

// Supervise says what becomes of the queue's items that fail: see package supervisor.
// Without it a failure is counted and reported.
//
// A failed item that the strategy may run again stays pending, as an armed one does:
// Cancel, CancelWait and Disable take it off, Flush of it queues a retry at once and
// waits for that, Modify and Init treat it as any. An item of a key goes behind the
// items that its key has by then; one that was queued on a CPU goes there again. What
// is queued anew begins with attempt 1. An item that was queued again while it ran is
// not retried, as it runs anyway; nor is one that was cancelled, nor a run of a Series,
// whose next is due in its time. All these are told to the strategy as final failures.
//
// While the queue drains or ends every failure is final. A retry that is armed then is
// as other armed items: dropped and reported if it comes due while the queue drains,
// cancelled and reported by Destroy and Stop, with a *RetryError that wraps its last
// error, too. Flush and Drain of the queue do not wait for a retry that is armed.
//
// It costs nothing until an item fails; a retry without back-off takes a few µs.
func Supervise(s supervisor.Strategy) QueueOption {
	return func(o *queueOptions) {
		o.strategyErr = supervisor.Check(s)
		o.Strategy = s
	}
}

// WithSupervision says what becomes of queues that the system made and whose strategy
// says Escalate: protoactor's strategy for the children of an actor. Nil, and the
// default, is protoactor's own: restart, but stop a queue that escalates more than
// 10 times in 10 s. A directive to escalate further stops the queue, for nobody is
// above the system.
func WithSupervision(s actor.SupervisorStrategy) Option {
	return func(o *actors.Options) error { o.Supervision = s; return nil }
}

// Permanent marks an error of a function: it is not retried. errors.Is and As find err
// in it. Nil stays nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &messages.PermanentError{Err: err}
}

// RetryAfter marks an error of a function: if it is retried, then after d, whatever
// the back-off says. errors.Is and As find err in it. Nil stays nil.
func RetryAfter(d time.Duration, err error) error {
	if err == nil {
		return nil
	}
	return &messages.RetryAfterError{After: d, Err: err}
}

// ErrGivenUp is in the *RetryError of an item that supervisor.Drop gave up.
var ErrGivenUp = messages.ErrGivenUp

type (
	// RetryError is the end of an item that failed and will not be run again: Attempts,
	// Last and Cause.
	RetryError = messages.RetryError
	// EscalatedError is the reason with which the actor of a queue fails when its
	// strategy says Escalate.
	EscalatedError = messages.EscalatedError
	// DeadLetter is an item that failed for good and that its queue has kept.
	DeadLetter = messages.DeadLetter
)
