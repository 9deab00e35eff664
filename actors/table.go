package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// table is which pools serve a queue now. It is replaced as a whole while work
// flows: a producer loads it once a call, and looks again after its push.
type table struct {
	only   *share   // I: that gets every item; nil if there is a choice
	shares []*share // I: that get new items
	route  []uint16 // I: logical CPU → index in shares
	choice *choice  // I: nil if an item whose queuer named no CPU may go anywhere
	old    []*share // I: retired, and their pools may have items of the queue
	fixed  *fixed   // I: workers that the queue has to itself; nil for most
	past   *past    // I: of shares that are gone; nil if none is
	next   *table   // Q: what replaced it, before it was replaced
}

// past is what a queue keeps of its shares that are gone.
type past struct {
	messages.ShareStats        // I: counters
	times               *times // I: nil if nothing was measured
}

// replace gives the queue another table.
func (a *queueActor) replace(t *table) {
	t.next, t.only = nil, nil
	if len(t.shares) == 1 && t.fixed == nil {
		t.only = t.shares[0]
	}
	if now := a.q.table.Load(); now != nil {
		now.next = t
	}
	a.q.table.Store(t)
}

// on gives the share of a logical CPU.
func (t *table) on(cpu int) (*share, error) {
	if cpu < 0 || cpu >= len(t.route) || t.route[cpu] == noShare {
		return nil, messages.ErrCPU
	}
	return t.shares[t.route[cpu]], nil
}

// pick chooses the share for an item whose caller named no CPU.
func (t *table) pick() *share {
	if len(t.shares) == 1 {
		return t.shares[0]
	}
	if t.choice != nil {
		return t.shares[t.route[t.choice.cpu()]]
	}
	return t.shares[near(len(t.shares))]
}

// heir chooses the share that serves the CPU which an earlier one served.
func (t *table) heir(s *share) *share {
	if to, err := t.on(s.cpu); err == nil {
		return to
	}
	return t.pick()
}

// at gives the share at a place, also a retired one; nil if there is none.
func (t *table) at(p messages.Place) *share {
	for _, shares := range [...][]*share{t.shares, t.old, t.private()} {
		for _, s := range shares {
			if s.pool.id == p {
				return s
			}
		}
	}
	return nil
}

// all are the shares that have items, or may get some.
func (t *table) all() []*share { return slices.Concat(t.shares, t.old, t.private()) }

// settled is for a producer that pushed by the table t and finds another one now.
// The share may have been retired before the push: then its pool passes the item
// on. The producer waits for that, so that what it queues next comes after the
// item, and a flush that it begins next finds it. Pools pass on without waiting. An
// item may have been passed on to a share that was retired in turn, so that no table
// between is left out: the item is with one of their pools, and whichever it is
// passes it on to a share of the present table when it reads it, if it had not.
func (q *Queue) settled(t *table) {
	if q.table.Load() != t {
		q.settle(t)
	}
}

func (q *Queue) settle(t *table) {
	q.departs()
	defer q.arrives()
	for now := q.table.Load(); now != t; now = q.table.Load() {
		for _, p := range t.leftUntil(now) {
			p.passed()
		}
		t = now
	}
}

// passed waits until the pool has read what was pushed before the call.
func (p *pool) passed() {
	m := &passMsg{done: make(chan struct{})}
	if _, ok := p.mb.post(&messages.NewControl(m).Item); ok {
		<-m.done
	}
}

// passMsg is answered when it is read.
type passMsg struct{ done chan struct{} }
