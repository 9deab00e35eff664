package policy

import "time"

// Offer is a lease that may be given out now.
type Offer struct {
	Worker *Worker
	// Active items at most from the worklist's head, all of the head's share.
	Active int
	// Riders at most from the head of the share's inactive list, only if the
	// lease takes the last active item of the share that waits. Riders hold no
	// slot: they run one after the other in the slot of the item before them.
	Riders int
}

// Offer says which worker may lease how much of the share at the worklist's
// head. ok is false if nothing may start now, or no worker is idle.
func (p *Pool) Offer(s *Share) (o Offer, ok bool) {
	n := len(p.idle)
	if n == 0 || !p.NeedMoreWorker() || p.capped(s) {
		return o, false
	}
	run := p.run(s)
	o.Worker = p.idle[n-1]
	o.Active = min(run, s.waiting)
	if o.Active == s.waiting && !s.frozen {
		o.Riders = min(run-o.Active, s.inactive)
	}
	return o, true
}

// capped: an unbound pool starts everything at once, unless the items are known
// to be short: then a few for each CPU is as fast, and saves a goroutine an item.
// Workers that stay on one item leave the count at the next tick, so that items
// which turn out to block never hold others.
func (p *Pool) capped(s *Share) bool {
	return p.kind == Unbound && s.short() && p.running >= 4*p.procs
}

// run is the length of the next lease of a share: as many items as run in the
// lease target, at most an equal part of what waits for each free slot of the
// width, one for CPU-intensive queues, while the item time is unknown, and while the
// CPU is down.
func (p *Pool) run(s *Share) int {
	if s.paced {
		return 1
	}
	if p.kind == Fixed {
		return LeaseMax // a batch: nobody else would take any of it
	}
	if s.intensive || s.item == 0 || p.down {
		return 1
	}
	n := min(LeaseMax, int(LeaseTarget/s.item))
	if n <= 1 {
		return 1
	}
	if s.limit-s.recall == 1 {
		return n // one lease at a time: nobody to divide with
	}
	free := p.Width() - p.running
	if p.kind == Unbound {
		free = max(1, len(p.idle))
	}
	all := p.waiting + s.inactive
	return max(1, min(n, (all+free-1)/free))
}

// Lease records that the offer's worker was given a lease of so many items.
func (p *Pool) Lease(w *Worker, s *Share, active, riders int) {
	p.idle = p.idle[:len(p.idle)-1]
	p.give(w, s, active, riders)
	if !w.intensive {
		p.count(w)
	}
	if active+riders > 1 {
		p.needTick = true
	}
}

// give moves items of the share to the worker's lease.
func (p *Pool) give(w *Worker, s *Share, active, riders int) {
	p.dog.progress++
	s.inactive -= riders
	s.waiting -= active
	p.waiting -= active
	p.age.popped += int64(active)
	s.leased++
	s.slots += active
	w.share, w.slots = s, active
	w.intensive, w.awoke, w.era = s.intensive, false, p.era
}

// Park takes an item off the worklist that only the worker which runs it now may
// take next (non-reentrance); Unpark puts it at the worklist's head again when
// that worker's lease ends. The item keeps its slot.
func (p *Pool) Park(s *Share) {
	s.parked++
	s.waiting--
	p.waiting--
	p.age.popped++
}

// Unpark undoes Park.
func (p *Pool) Unpark(s *Share) {
	s.parked--
	s.waiting++
	p.waiting++
	p.age.popped--
}

// Return counts back, in one call, all that was not started of a worker's lease:
// active items go to the worklist's head, riders to the head of the share's
// inactive list, or of their key's chain. The lease is then its running item, which holds one slot; those
// of the items before it are free. So the shell calls Return even if no item
// came back, and Activate after it.
func (p *Pool) Return(w *Worker, active, riders int) {
	s := w.share
	w.slots -= active
	w.end = w.taken
	s.slots -= active
	s.waiting += active
	p.waiting += active
	p.age.popped -= int64(active)
	w.rideBack(riders)
	w.trim()
}

// trim frees the slots of the items of a lease that have ended, once nothing
// but its running item is left of it.
func (w *Worker) trim() {
	if ended := w.slots - 1; ended > 0 {
		w.slots = 1
		w.share.slots -= ended
		w.share.active -= ended
	}
}

// Report is what a worker says of a lease that ended.
type Report struct {
	Ran    int           // items executed
	Failed int           // of them, with an error
	Busy   time.Duration // time spent, less declared sleeps
	End    time.Duration // now
}

// Done ends a worker's lease: its slots are free, and it is idle. arm says that
// the idle timer must be armed for IdleTimeout.
func (p *Pool) Done(w *Worker, r Report) (arm bool) {
	s := w.share
	own := max(0, r.Busy-w.paid)
	w.paid = 0
	s.learn(r.Ran, own)
	s.Stats.Completed += int64(r.Ran)
	if r.Failed > 0 {
		s.Stats.Seldom().Failed += int64(r.Failed)
	}
	s.Stats.CPUTime += own
	p.age.progress(r.Busy)
	if w.assumed {
		p.learnt.blocked--
	}
	p.uncount(w)
	if w.aside {
		w.aside, p.aside = false, p.aside-1
	}
	s.leased--
	s.active -= w.slots
	s.slots -= w.slots
	w.share, w.chain, w.slots = nil, nil, 0
	w.sleeping, w.hog, w.assumed, w.intensive = false, false, false, false
	if w.rescuer {
		s.Stats.Seldom().Rescued += int64(r.Ran)
		p.rescuers--
		return false
	}
	return p.enterIdle(w, r.End)
}
