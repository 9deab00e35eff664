package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

type cullMsg struct{}

// note reads what a worker says of itself: the phase it is in now. Notes are
// level-triggered; one that is older than the phase finds nothing to do.
func (p *pool) note(w *worker) {
	w.noted.Queued.Store(false) // before the phase is read
	if w.share == nil {
		return
	}
	switch w.phase.Load() {
	case phaseSleeping:
		p.takeBack(w)
		p.pol.Blocks(&w.pol)
	case phaseRunning:
		if w.napping() {
			p.takeBack(w)
			p.pol.Blocks(&w.pol)
			return
		}
		p.pol.Wakes(&w.pol)
	case phaseDone:
		p.done(w)
	}
}

// done ends a worker's lease.
func (p *pool) done(w *worker) {
	p.takeBack(w) // a worker that called Goexit left it
	s := w.share
	l := &w.lease
	c, ran := w.chain, l.Own()
	if len(w.got) > 0 {
		p.measured(w)
	}
	epoch, empty := s.pol.Epoch.Finish(l.Epoch, ran)
	r := w.report
	r.Ran -= int(l.Front)
	if p.pol.Done(&w.pol, r) {
		p.armCull(policy.IdleTimeout)
	}
	p.sys.lookAtProcs(w.report.End)
	if w.leaves == nil { // a rescuer is another pool's by the end of the turn
		p.crowd.is(w, w.report.End)
		p.crowd.ended(w.report.End)
	}
	w.share, w.chain, w.doneTurn = nil, nil, p.turns
	last := p.leased[len(p.leased)-1]
	p.leased[w.at], last.at = last, w.at
	p.leased = p.leased[:len(p.leased)-1]
	if p.waking == w {
		p.waking = nil
	}
	l.Empty()
	w.train.ended(s)
	if w.parked.last != nil {
		p.unpark(w)
	}
	if w.passing.last != nil {
		p.passAll(w)
	}
	p.activate(s)
	if c != nil && ran > 0 {
		p.follow(c)
	}
	p.detached(s)
	p.wake(w, nil, w.lastFailure())
	if empty {
		p.emptied(s, epoch)
	}
}

// ready counts in a worker that the manager made.
func (p *pool) ready(w *worker) {
	for len(p.workers) <= w.pol.ID {
		p.workers = append(p.workers, nil)
	}
	p.workers[w.pol.ID] = w
	p.table.set(w.pol.ID, w)
	p.bound(w)
	p.callOff()
	now := p.sys.now()
	p.crowd.is(w, now)
	if p.pol.Created(&w.pol, now) {
		p.armCull(policy.IdleTimeout)
	}
}

func (p *pool) armCull(d time.Duration) {
	p.culling = time.AfterFunc(d, func() { p.mb.post(&messages.NewControl(cullMsg{}).Item) })
}

func (p *pool) cull() {
	stop, again := p.pol.Cull(p.sys.now())
	for _, w := range stop {
		gone := p.workers[w.ID]
		p.workers[w.ID] = nil
		p.table.set(w.ID, nil)
		p.ctx.Send(p.manager, &messages.Cull{Worker: gone})
	}
	if again > 0 {
		p.armCull(again)
	}
}

// closeEpoch ends a share's flush epoch.
func (p *pool) closeEpoch(s *share) {
	if s.gone {
		return
	}
	if epoch, ok := s.pol.Epoch.Close(); ok {
		p.emptied(s, epoch)
	}
}

func (p *pool) emptied(s *share, epoch uint32) {
	p.ctx.Send(s.queue.pid, &messages.EpochEmpty{
		Share: s.id, Epoch: epoch, Arrived: s.arrived, Left: s.pol.Epoch.Unfinished(), Moved: s.moved > 0,
	})
	if s.moved <= epoch+1 {
		s.moved = 0
	}
}
