package actors

import (
	"slices"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// arrive lists a run of items for one share, and gives what comes after it.
func (p *pool) arrive(first *messages.Item) *messages.Item {
	s := home(first)
	epoch := s.pol.Epoch.Now()
	last, n := first, 0
	for it := first; it != nil && it.Home == &s.Home && it.Kind != messages.KindControl; it = it.Next {
		it.Epoch, it.List = epoch, messages.OnWorklist
		last = it
		n++
	}
	rest := last.Next
	s.arrived += int64(n)
	if !s.attached {
		s.attached = true
		p.shares = append(p.shares, s)
	}
	active := p.pol.Arrive(&s.pol, n)
	switch active {
	case n:
		p.list.append(first, last)
	case 0:
		p.hold(s, first, last)
	default:
		cut := first
		for range active - 1 {
			cut = cut.Next
		}
		beyond := cut.Next
		p.list.append(first, cut)
		p.hold(s, beyond, last)
	}
	return rest
}

// hold puts items at the end of the share's inactive list.
func (p *pool) hold(s *share, first, last *messages.Item) {
	s.inactive.append(first, last)
	for it := first; it != nil; it = it.Next {
		it.List = messages.OnInactive
	}
	p.borrow(s)
}

// activate moves what free slots allow onto the worklist, and settles slots with
// the queue.
func (p *pool) activate(s *share) {
	if s.lends {
		if n := s.pol.Surrender(); n > 0 {
			p.ctx.Send(s.queue.pid, &messages.SlotsReturned{Share: s.index, N: n})
		}
	}
	for range p.pol.Activate(&s.pol) {
		it := s.inactive.shift()
		it.List = messages.OnWorklist | it.List&messages.Flushed
		p.list.append(it, it)
	}
	p.borrow(s)
	if s.frost != nil {
		p.still(s)
	}
}

func (p *pool) borrow(s *share) {
	if !s.lends {
		return
	}
	if n := s.pol.Borrow(); n > 0 {
		p.ctx.Send(s.queue.pid, &messages.BorrowSlots{Share: s.index, N: n})
	}
}

// grant gives leases while policy offers them.
func (p *pool) grant() {
	for it := p.list.first; it != nil; it = p.list.first {
		if w := p.runs(it); w != nil {
			p.park(w, it)
			continue
		}
		s := home(it)
		o, ok := p.pol.Offer(&s.pol)
		if !ok {
			break
		}
		p.lease(p.workers[o.Worker.ID], s, o)
	}
	if n := p.pol.WorkersWanted(); n > 0 {
		p.ctx.Send(p.manager, &messages.NeedWorker{N: n})
	}
}

// runs gives the worker of this pool that runs the item now, nil if none.
func (p *pool) runs(it *messages.Item) *worker {
	if it.Kind != messages.KindWork {
		return nil
	}
	s := it.State()
	if s&messages.Running == 0 || s.Runner() != p.id {
		return nil
	}
	return p.workers[s.Worker()]
}

// park keeps an item for the worker that runs it now: it may not run twice at
// once. The worker takes it next.
func (p *pool) park(w *worker, it *messages.Item) {
	p.list.remove(it)
	it.List = messages.OnParked | it.List&messages.Flushed
	w.parked.append(it, it)
	p.pol.Park(&home(it).pol)
	w.lookAgain()
}

// lease gives an idle worker a run of items of one share and epoch.
func (p *pool) lease(w *worker, s *share, o policy.Offer) {
	l := &w.lease
	l.Items = l.Items[:0]
	l.Epoch = p.list.first.Epoch
	active := p.fill(w, s, &p.list, o.Active)
	riders := 0
	if active == o.Active && w.flushed == nil {
		riders = p.fill(w, s, &s.inactive, o.Riders)
	}
	l.Active = active
	p.pol.Lease(&w.pol, &s.pol, active, riders)
	w.share = s
	w.at = len(p.leased)
	p.leased = append(p.leased, w)
	w.phase.Store(phaseRunning)
	if l.Woken = w.doneTurn != p.turns; l.Woken {
		p.waking = w
	}
	l.Grant()
	w.granted.Store(true)
	w.box.PostUserMessage(l)
}

// fill moves up to n items of the share and the lease's epoch from a list's head
// into the lease. An item that somebody waits for ends it.
func (p *pool) fill(w *worker, s *share, from *list, n int) (taken int) {
	l := &w.lease
	it := from.first
	for taken < n && it != nil && it.Home == &s.Home && it.Epoch == l.Epoch && p.runs(it) == nil {
		next := it.Next
		l.Items = append(l.Items, it)
		taken++
		if it.List&messages.Flushed != 0 {
			w.flushed, w.flushers = it, p.waits.take(it)
			n = taken
		}
		it.List, it.Next, it.Prev = messages.Unlisted, nil, nil
		it = next
	}
	from.first = it
	if it == nil {
		from.last = nil
	} else {
		it.Prev = nil
	}
	return taken
}

// takeBack returns the unstarted rest of a lease to the heads of the lists, and
// gives away the slots that this leaves free.
func (p *pool) takeBack(w *worker) {
	l := &w.lease
	rest := l.Retract()
	from := len(l.Items) - l.Back // items that the lease keeps
	active := 0
	if len(rest) > 0 {
		active = max(0, l.Active-from)
		l.Active -= active
	}
	for i, it := range slices.Backward(rest) {
		flag := messages.List(0)
		if it == w.flushed {
			p.waits[it] = append(w.flushers, p.waits[it]...)
			w.flushed, w.flushers, flag = nil, nil, messages.Flushed
		}
		if i < active {
			it.List = messages.OnWorklist | flag
			p.list.prepend(it)
		} else {
			it.List = messages.OnInactive | flag
			w.share.inactive.prepend(it)
		}
	}
	p.pol.Return(&w.pol, active, len(rest)-active)
	p.activate(w.share)
}

// takeBackAll does so for several: the newest lease first, so that the oldest
// items end up in front.
func (p *pool) takeBackAll(from []*policy.Worker) {
	for _, w := range slices.Backward(from) {
		p.takeBack(p.workers[w.ID])
	}
}
