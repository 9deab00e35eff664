package actors

import (
	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/messages"
)

// verifyRescue checks rescuers and cursors at the end of a turn.
func (p *pool) verifyRescue() {
	holding := 0
	for n, w := range p.rescue.workers {
		if w == nil {
			continue
		}
		invariants.Check(w.pool == p && w.pol.ID == messages.MaxWorkers-1-n && !w.pol.Counted(),
			"%s: in pool %s, and not as it should be", w.name, p.name)
		if w.share == nil {
			continue // it has not said its last word yet
		}
		holding++
		taken, end := w.lease.Progress()
		invariants.Check(!p.pol.Recovered() || end-taken == 0, "%s: keeps %d items from pool %s, which has recovered", w.name, end-taken, p.name)
	}
	invariants.Check(holding == p.pol.Rescuers(), "pool %s: %d rescuers hold a lease, %d are counted", p.name, holding, p.pol.Rescuers())
	reclaim := 0
	for _, s := range p.shares {
		if s.queue.rescuer != nil {
			reclaim++
		}
	}
	invariants.Check(reclaim == p.rescue.reclaim, "pool %s: %d shares have rescuers, %d are counted", p.name, reclaim, p.rescue.reclaim)
	for _, s := range p.rescue.scans {
		p.verifyCursor(s)
	}
}

// verifyCursor checks that a cursor is on the worklist and that nothing of its
// share is before it; a long list is not walked.
func (p *pool) verifyCursor(s *share) {
	invariants.Check(s.has().scanning, "pool %s: a cursor that nobody uses", p.name)
	if s.has().cursor == nil || p.pol.Waiting() > 2000 {
		return
	}
	for it := p.list.first; it != nil; it = it.Next {
		invariants.Check(home(it) != s, "pool %s: a cursor has passed an item of its share", p.name)
		if it == s.has().cursor {
			return
		}
	}
	invariants.Check(false, "pool %s: a cursor is not on the worklist", p.name)
}
