package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// A pool may pass an item on to any share of the table that it reads in its turn.
// So a share that was taken out of the table is released only after every pool that
// the queue has items in had another turn: a period of grace. What a pool passes on
// is then always counted where it arrives, and a flush need not look for it.
type (
	askTurn struct{ queue *Queue } // to a pool, that it had one
	// hadTurn is its answer: whatever the pool passes on from now on goes by a
	// table that was there when the grace began, or a newer one.
	hadTurn struct{ messages.Quiet }
)

// parting are the shares that left the table and are not released.
type parting struct {
	next  []*share // Q: they wait for a grace that has not begun
	now   []*share // Q: they wait for the grace that runs
	pools int      // Q: that have not had their turn in it
}

// onIdle: a retired share has nothing and takes nothing. Producers must not find
// it any more; what they pushed meanwhile is passed on before the pool reads the
// release.
func (a *queueActor) onIdle(m *shareIdle) {
	s := m.share
	t := *a.q.table.Load()
	t.old = slices.DeleteFunc(slices.Clone(t.old), func(x *share) bool { return x == s })
	p := past{counters(m.stats), m.times}
	if t.past != nil {
		add(&p.ShareStats, t.past.ShareStats)
		p.times = p.times.with(t.past.times)
	}
	t.past = &p
	a.replace(&t)
	g := &a.moving().parting
	g.next = append(g.next, s)
	if g.pools == 0 {
		a.startGrace()
	}
}

// startGrace gives every pool a turn. Shares that become idle meanwhile wait for
// the next grace together, so that there is one at a time.
func (a *queueActor) startGrace() {
	g := &a.moving().parting
	g.now, g.next = g.next, nil
	var asked []*pool
	for _, s := range a.shares {
		if !slices.Contains(asked, s.pool) {
			asked = append(asked, s.pool)
			if a.q.post(s, &askTurn{a.q}) {
				g.pools++
			}
		}
	}
}

func (a *queueActor) onTurn() {
	g := &a.moving().parting
	if g.pools--; g.pools > 0 {
		return
	}
	for _, s := range g.now {
		a.q.post(s, &release{s})
	}
	g.now = nil
	if len(g.next) > 0 {
		a.startGrace()
	}
}
