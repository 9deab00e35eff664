package actors

import (
	"log/slog"
	"runtime/debug"

	"github.com/cmwq/cmwq/messages"
)

// onFailed asks the strategy, if there is one and if there is anything to decide.
func (a *queueActor) onFailed(m *messages.Failed) {
	a.q.remember(m)
	if a.q.sup == nil || m.Tries == nil {
		a.report(m)
		return
	}
	f := a.failure(m)
	act := a.decide(f)
	if act.Do == messages.Retry {
		if a.retry(m, act) {
			return
		}
		act.Do = messages.Report
	}
	if m.Held && !a.giveUp(m, act) {
		return // it was cancelled meanwhile, or dropped and reported
	}
	switch act.Do {
	case messages.Ignore:
	case messages.ToDeadLetters:
		a.bury(m, act.Limit)
	case messages.Drop:
		a.report(&messages.Failed{Item: m.Item, Err: a.lastError(m, act), Worker: m.Worker})
	case messages.StopQueue:
		a.report(m)
		a.stopQueue()
	case messages.Escalate:
		if a.shutdown == nil { // else its parent has said what becomes of it
			panic(&messages.EscalatedError{Failure: f})
		}
		a.report(m)
	default:
		a.report(m)
	}
}

func (a *queueActor) failure(m *messages.Failed) messages.Failure {
	t := m.Tries
	return messages.Failure{
		Queue: a.q.name, Worker: m.Worker, Err: m.Err, First: t.First, Attempt: t.Count, Since: t.Since,
		Final: !m.Held || a.q.flags.Load() != 0,
	}
}

// decide asks the strategy. One that panics is reported, and so is the failure.
func (a *queueActor) decide(f messages.Failure) (act messages.Action) {
	defer func() {
		if v := recover(); v != nil {
			a.q.sys.log.Error("the strategy for failing work panicked", slog.String("queue", a.q.name),
				slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
			act = messages.Action{Do: messages.Report}
		}
	}()
	return a.q.sup.strategy.Decide(f, a.q.sys.now(), &a.q.sup.memory)
}

// retry makes the item due, and says whether it may be.
func (a *queueActor) retry(m *messages.Failed, act messages.Action) bool {
	if !m.Held || a.q.flags.Load() != 0 {
		return false
	}
	due := int64(0)
	if act.After > 0 {
		due = a.q.sys.due(act.After)
	}
	a.q.sys.delayer.mb.post(&messages.NewControl(&retryItem{m.Item, m.Tries, due}).Item) // else the delayer drops it
	return true
}

// giveUp is the end of an item: it is idle, and whoever waits for its end is told.
// False if somebody else took it before.
func (a *queueActor) giveUp(m *messages.Failed, act messages.Action) bool {
	if !m.Tries.GiveUp() {
		return false
	}
	m.Tries.End(m.Err)
	a.q.sup.failed.Add(1)
	told, _ := m.Item.Msg().(messages.Failer)
	a.q.sys.delayer.mb.post(&messages.NewControl(&releaseItem{m.Item, m.Tries}).Item)
	if told != nil {
		told.Failed(a.lastError(m, act))
	}
	if m.Late {
		messages.WillNotRun(m.Func, a.lastError(m, act))
	}
	return true
}

// lastError is what is told of an item that failed.
func (a *queueActor) lastError(m *messages.Failed, act messages.Action) error {
	if act.Do == messages.Drop {
		return &messages.RetryError{Attempts: m.Tries.Count, Last: m.Err, Cause: messages.ErrGivenUp}
	}
	return m.Err
}

// stopQueue ends the queue: it takes no more work, what waits is done, and nobody
// waits for that.
func (a *queueActor) stopQueue() {
	if a.q.opts.System || a.q.flags.Load()&(destroyed|systemStopped) != 0 {
		return
	}
	a.q.sys.log.Warn("queue ends: its strategy for failing work says so", "queue", a.q.name)
	a.q.raise(draining | destroyed)
	a.q.tell(&messages.Destroy{})
}

// stats adds what the strategy has counted.
func (s *supervision) stats(sum *messages.ShareStats) {
	if s != nil {
		sum.Failed += s.failed.Load()
		sum.Retried, sum.DeadLettered, sum.DeadLost = s.retried.Load(), s.dead.Load(), s.lost.Load()
	}
}
