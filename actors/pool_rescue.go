package actors

import (
	"slices"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

type (
	maydayMsg struct{}
	// leaving is the last that a rescuer's worker says to a pool.
	leaving struct {
		worker *worker // I:
		share  *share  // P: whom it helped
	}
)

// rescue is what a pool keeps for being rescued.
type rescue struct {
	reclaim int         // P: shares of the pool that have a rescuer
	short   bool        // P: the timer is armed, or about to tell
	timer   *time.Timer // P: next call for help
	cooling *time.Timer // P: a creation failed; the next try
	workers []*worker   // P: rescuers in the pool, by number from the top; nil where there is none
	scans   []*share    // P: those with a cursor
	table   workerTable // A: workers, for others
}

// worker gives the worker, or rescuer, of a number; nil if there is none.
func (p *pool) worker(n int) *worker {
	of := p.workers
	if n >= messages.MaxWorkers-messages.MaxRescuers {
		of, n = p.rescue.workers, messages.MaxWorkers-1-n
	}
	if n >= len(of) {
		return nil
	}
	return of[n]
}

// watchShortage ends a turn: while the manager tries to make a worker, the timer runs
// after which the pool calls for help.
func (p *pool) watchShortage() {
	r := &p.rescue
	switch short := p.pol.Creating() > 0; {
	case short && !r.short:
		r.short = true
		if r.timer == nil {
			r.timer = time.AfterFunc(policy.MaydayFirst, func() { p.mb.post(&messages.NewControl(maydayMsg{}).Item) })
		} else {
			r.timer.Reset(policy.MaydayFirst)
		}
	case !short:
		p.callOff()
	}
}

// callOff ends the calls for help: there is a new worker, or none is wanted.
func (p *pool) callOff() {
	if r := &p.rescue; r.short {
		r.short = false
		r.timer.Stop()
		p.endScans()
	}
}

// callForHelp sends a mayday to the rescuer of each share with items on the
// worklist, if the pool is as short of workers now as it was.
func (p *pool) callForHelp() {
	if !p.rescue.short {
		return
	}
	p.rescue.timer.Reset(policy.MaydayInterval)
	if !p.pol.NeedToCreateWorker() {
		return
	}
	for _, s := range p.shares {
		if s.queue.rescuer == nil || s.has().called || s.pol.Waiting() == 0 {
			continue
		}
		if p.mayday(s) {
			s.gets().called = true
			s.pol.Stats.Seldom().Mayday++
			p.maydays(s)
		}
	}
}

// helped takes a rescuer in, or sends it away: what it was called for may have
// passed.
func (p *pool) helped(m *messages.Rescue) {
	s, w := m.Share.(*share), m.Worker.(*worker)
	s.gets().called = false
	if m.Again && s.pol.Waiting() > 0 { // else it has no need of help any more
		s.pol.Stats.Seldom().Mayday++ // as the kernel counts a turn change
		p.maydays(s)
	}
	if p.pol.NeedRescue(&s.pol, m.Others) && p.admit(w, s) {
		if p.leaseRescue(w, s) {
			return
		}
		p.detachRescuer(w)
	}
	p.dismiss(s)
}

// admit makes a rescuer one of the pool's workers, with a number of its own.
func (p *pool) admit(w *worker, s *share) bool {
	r := &p.rescue
	n := slices.Index(r.workers, nil)
	if n < 0 {
		if n = len(r.workers); n == messages.MaxRescuers {
			return false // the next mayday tries again
		}
		r.workers = append(r.workers, nil)
	}
	r.workers[n] = w
	r.table.set(n, w)
	w.pool, w.pol.ID = p, messages.MaxWorkers-1-n
	w.runs = messages.Runs(p.id, w.pol.ID)
	w.leaves.Ext.Msg.(*leaving).share = s
	return true
}

func (p *pool) detachRescuer(w *worker) {
	n := messages.MaxWorkers - 1 - w.pol.ID
	p.rescue.workers[n] = nil
	p.rescue.table.set(n, nil)
}

// rescuerLeft ends a rescuer's stay. It is the last of its messages to this pool: only
// now may another pool have it. The end of the turn kicks the pool.
func (p *pool) rescuerLeft(m *leaving) {
	w := m.worker
	if w.share != nil {
		p.done(w)
	}
	p.detachRescuer(w)
	p.dismiss(m.share)
}

// dismiss sends a rescuer away, and tells it whether to come back.
func (p *pool) dismiss(s *share) {
	if p.stopped {
		return
	}
	if pid := s.queue.rescuer.pid.Load(); pid != nil {
		p.ctx.Send(pid, &messages.Rescued{
			Share: s, Needs: p.pol.NeedRescue(&s.pol, true), May: p.pol.NeedRescue(&s.pol, false),
		})
	}
}

// relieve takes back what rescuers have not started: the pool has a worker that
// may take it.
func (p *pool) relieve() {
	for _, w := range p.rescue.workers {
		if w != nil && w.share != nil {
			p.takeBack(w)
		}
	}
}

func (r *rescue) stop() {
	for _, t := range []*time.Timer{r.timer, r.cooling} {
		if t != nil {
			t.Stop()
		}
	}
}
