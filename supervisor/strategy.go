package supervisor

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Strategy decides what becomes of a failure. Those of this package are enough for
// most; others may be written, and put together with these.
type Strategy = messages.Strategy

// What a Strategy of a user's is made of.
type (
	// Failure is what a strategy is told.
	Failure = messages.Failure
	// Action is what it says.
	Action = messages.Action
	// Memory is what it may remember in.
	Memory = messages.Memory
)

// What a Strategy of a user's may say. All but DoRetry are the item's end.
const (
	DoReport     = messages.Report
	DoIgnore     = messages.Ignore
	DoRetry      = messages.Retry
	DoDeadLetter = messages.ToDeadLetters
	DoDrop       = messages.Drop
	DoStopQueue  = messages.StopQueue
	DoEscalate   = messages.Escalate
)

// always is a strategy that does not look at the failure.
type always Action

func (s always) Decide(Failure, time.Duration, *Memory) Action { return Action(s) }

// Report tells cmwq.WithOnFailure, or logs a warning: what is done without a
// strategy.
func Report() Strategy { return always{Do: messages.Report} }

// Ignore tells nobody. The failure is counted (Stats.Failed), and a Future gets it.
func Ignore() Strategy { return always{Do: messages.Ignore} }

// Drop gives the item up: it is reported with a *cmwq.RetryError that wraps
// cmwq.ErrGivenUp and the last error, and a Future gets that.
func Drop() Strategy { return always{Do: messages.Drop} }

// DeadLetter keeps the item for somebody to look at, and to queue anew or discard: see
// Queue.DeadLetters. The queue keeps limit of them; the oldest makes room for a new one,
// and is counted (Stats.DeadLost). Each is published on the actor system's EventStream,
// as *messages.DeadLettered and as the Message of an *actor.DeadLetterEvent. The failure
// is told to nobody else.
func DeadLetter(limit int) Strategy { return deadLetter{limit} }

type deadLetter struct{ limit int }

func (s deadLetter) Decide(Failure, time.Duration, *Memory) Action {
	return Action{Do: messages.ToDeadLetters, Limit: s.limit}
}

// StopQueue reports the failure and ends the queue: it refuses work from then on,
// armed items are dropped and reported, what waits still runs, and then the queue is
// gone, as after Queue.Destroy. On an own item of a queue that ends already it reports.
func StopQueue() Strategy { return always{Do: messages.StopQueue} }

// Escalate makes the actor of the queue fail, with an *cmwq.EscalatedError for the
// reason: the supervisor strategy of its parent, protoactor's, decides. Resume goes on
// as if nothing had been; Restart forgets what strategies remember of earlier failures,
// and keeps everything that waits; Stop has the queue drain for as long as its
// cmwq.Shutdown allows, and drops and reports what is left; a queue that stops reports.
// The parent of a queue that
// the system made is the system: see cmwq.WithSupervision.
func Escalate() Strategy { return always{Do: messages.Escalate} }
