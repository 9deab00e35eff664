package actors

import (
	"math"
	"math/rand/v2"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// supervision is what a queue with a strategy has beside others. Every execution that
// failed is counted once: as failed, or as retried.
type supervision struct {
	strategy messages.Strategy // I:
	failed   atomic.Int64      // A: items whose last execution failed
	retried  atomic.Int64      // A: failures that were not the end of their item
	dead     atomic.Int64      // A: of the failed ones, those that became dead letters
	lost     atomic.Int64      // A: dead letters that had to make room for newer ones

	memory messages.Memory // Q: of the strategy
	kept   deadLetters     // Q:
}

func newSupervision(s messages.Strategy) *supervision {
	if s == nil {
		return nil
	}
	return &supervision{strategy: s, memory: messages.Memory{Seed: rand.Uint64()}}
}

// forget begins the strategy's memory anew.
func (s *supervision) forget() {
	if s != nil {
		s.memory.Forget()
	}
}

// letters are the dead ones; of a queue without a strategy there are none.
func (s *supervision) letters() *deadLetters {
	if s == nil {
		return &deadLetters{}
	}
	return &s.kept
}

// Supervised says whether a strategy decides about the queue's failures: then
// whoever is a messages.Failer is told of the last one.
func (q *Queue) Supervised() bool { return q.sup != nil }

// tells says whether the strategy's last word will be told to an item that failed.
func (q *Queue) tells(told messages.Dropper) bool {
	_, ok := told.(messages.Failer)
	return ok && q.sup != nil
}

// hold arms an item that the caller owns and that failed, until the queue has decided.
func (q *Queue) hold(m *messages.Failed) {
	it, t := m.Item, m.Tries
	if q.flags.Load() == 0 {
		m.Held = true
		it.Func = m.Func
		it.Tried(t)
		t.Wait()
		q.bound.force()
		if q.arm(math.MaxInt64, int(m.CPU), it, m.Home) == nil {
			q.tell(m)
			return
		}
		q.bound.give() // the system has stopped
		it.Tried(nil)
		m.Held = false
	}
	t.End(m.Err)
	idleItem(it)
	q.final(m)
}

// final tells of a failure that is the item's last, whatever the strategy says.
func (q *Queue) final(m *messages.Failed) {
	if f, ok := m.Item.Msg().(messages.Failer); ok {
		f.Failed(m.Err)
	}
	if m.Late {
		messages.WillNotRun(m.Func, m.Err)
	}
	q.sup.failed.Add(1)
	q.tellFailed(m)
}
