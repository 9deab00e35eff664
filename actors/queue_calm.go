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

// moves is what the queue's actor has of changes of its pools.
type moves struct {
	changes    []any // Q: that wait
	parting          // Q:
	generation int32 // Q: of the shares: how often other pools came to serve the queue
}

func (a *queueActor) moving() *moves {
	if a.moves == nil {
		a.moves = &moves{}
	}
	return a.moves
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
	c := a.moving()
	c.changes = append(c.changes, m)
	a.nextChange()
}

// nextChange makes those changes that wait and may be made.
func (a *queueActor) nextChange() {
	c := a.moving()
	for len(c.changes) > 0 && a.q.gets().moving.none() {
		m := c.changes[0]
		c.changes = c.changes[1:]
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
