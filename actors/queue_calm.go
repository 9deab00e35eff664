package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// moving counts the producers that are on the way from an older table of a queue to
// the present one (see settled). They go on until they find no newer table. If tables
// came as fast as they look, they would go on for ever. So the next change of the pools
// that serve a queue begins when nobody is on the way. That is soon: they wait for
// turns of pools and for no item.
type moving struct {
	n    atomic.Int64 // A:
	tell atomic.Bool  // A: the queue's actor wants to know when there is none
}

// calm tells the queue's actor that nobody is on the way.
type calm struct{ messages.Quiet }

func (q *Queue) departs() { q.gets().moving.n.Add(1) }

func (q *Queue) arrives() {
	if m := &q.gets().moving; m.n.Add(-1) == 0 && m.tell.Swap(false) {
		q.tell(&calm{})
	}
}

// change makes a change of the queue's pools, those that wait first.
func (a *queueActor) change(m any) {
	a.changes = append(a.changes, m)
	a.nextChange()
}

// nextChange makes those changes that wait and may be made.
func (a *queueActor) nextChange() {
	for len(a.changes) > 0 && a.q.gets().moving.none() {
		m := a.changes[0]
		a.changes = a.changes[1:]
		switch m := m.(type) {
		case *reshape:
			a.onReshape(m)
		case *fix:
			a.onFix(m)
		}
	}
}

// none says whether nobody is on the way; if not, it will be told.
func (v *moving) none() bool {
	if v.n.Load() == 0 {
		return true
	}
	v.tell.Store(true)
	return v.n.Load() == 0 // the last may have come before it could know
}
