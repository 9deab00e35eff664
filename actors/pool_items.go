package actors

import (
	"slices"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// arrive lists a run of items for one share, and gives what comes after it.
func (p *pool) arrive(first *messages.Item) *messages.Item {
	s, ok := first.Home.Owner.(*share)
	switch {
	case !ok:
		return p.arriveKeyed(first)
	case s.pol.Retired():
		return p.arriveRetired(s, first)
	}
	epoch := s.pol.Epoch.Now()
	last, n := first, 0
	for it := first; it != nil && it.Home == &s.Home && it.Kind != messages.KindControl; it = it.Next {
		it.Epoch, it.List = epoch, messages.OnWorklist
		last = it
		n++
	}
	rest := last.Next
	p.accept(s, first, last, n)
	return rest
}

// accept lists n items, linked both ways and stamped, for one share.
func (p *pool) accept(s *share, first, last *messages.Item, n int) {
	s.arrived += int64(n)
	s.stamp(first, n)
	p.attach(s)
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
}

func (p *pool) attach(s *share) {
	if !s.attached {
		s.attached = true
		p.shares = append(p.shares, s)
		if s.queue.rescuer != nil {
			p.rescue.reclaim++
		}
	}
}

// hold puts items at the end of the share's inactive list.
func (p *pool) hold(s *share, first, last *messages.Item) {
	s.inactive.append(first, last)
	for it := first; it != nil; it = it.Next {
		it.List = messages.OnInactive
	}
	s.congest()
	p.borrow(s)
}

// activate moves what free slots allow onto the worklist, and settles slots with
// the queue.
func (p *pool) activate(s *share) {
	if n := s.pol.Surrender(); n > 0 {
		p.ctx.Send(s.queue.pid, &messages.SlotsReturned{Share: s.id, N: n})
	}
	for range p.pol.Activate(&s.pol) {
		it := s.inactive.shift()
		it.List = messages.OnWorklist | it.List&messages.Awaited
		p.list.append(it, it)
	}
	s.congest()
	p.borrow(s)
	if s.frost != nil {
		p.still(s)
	}
}

// slots carries out an order of the queue's ledger; those lent are used before
// others go back.
func (p *pool) slots(m *slots) {
	s := m.share
	if s.ended || s.gone {
		return
	}
	if m.Lend > 0 {
		s.pol.Lend(m.Order)
		p.activate(s)
	}
	if m.Recall > 0 {
		s.pol.Recall(m.Order)
		p.activate(s)
		if s.pol.Owes() {
			p.ctx.Send(s.queue.pid, &messages.SlotsReturned{Share: s.id, N: 0})
		}
	}
}

func (p *pool) borrow(s *share) {
	if !s.borrows {
		return
	}
	if n, tell := s.pol.Borrow(); tell {
		p.ctx.Send(s.queue.pid, &messages.BorrowSlots{Share: s.id, N: n})
	}
}

// grant gives leases while policy offers them.
func (p *pool) grant() {
	for it := p.list.first; it != nil; it = p.list.first {
		if w := p.runs(it); w != nil {
			p.park(w, it)
			continue
		}
		if p.elsewhere(it) {
			p.await(it)
			continue
		}
		s, c := home(it), keyOf(it)
		o, ok := p.offer(s, c)
		if !ok {
			break
		}
		if s.pacer.bucket != nil && !p.mayStart(s) {
			continue
		}
		p.lease(p.workers[o.Worker.ID], s, c, o)
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
	return p.worker(s.Worker())
}

// lease gives an idle worker a run of items of one share and epoch, and of one key
// if they have any.
func (p *pool) lease(w *worker, s *share, c *keyChain, o policy.Offer) {
	l := &w.lease
	l.Empty()
	l.Epoch = p.list.first.Epoch
	if c != nil {
		p.fillKeyed(w, c, o.Riders)
		p.headTaken()
	} else {
		l.Active = p.fill(w, &s.Home, &p.list, o.Active)
		p.headTaken()
		riders := 0
		if l.Active == o.Active && w.flushed == nil {
			riders = p.fill(w, &s.Home, &s.inactive, o.Riders)
		}
		p.pol.Lease(&w.pol, &s.pol, l.Active, riders)
	}
	s.congest()
	s.room.add(-len(l.Items))
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
	if s.pacer.bucket != nil {
		p.activate(s) // the next may stand on the worklist
	}
}

// fill moves up to n items of the share or key and the lease's epoch from a list's
// head into the lease. An item that somebody waits for ends it.
func (p *pool) fill(w *worker, home *messages.Home, from *list, n int) (taken int) {
	l := &w.lease
	items, funcs := l.Items, l.Funcs // in registers
	it := from.first
	for taken < n && it != nil && it.Home == home && it.Epoch == l.Epoch && p.runs(it) == nil {
		next := it.Next
		items, funcs = append(items, it), append(funcs, it.Func)
		taken++
		if it.List&messages.Awaited != 0 {
			w.flushed, w.flushers = it, p.waits.take(it)
			n = taken
		}
		it.List, it.Next, it.Prev = messages.Unlisted, nil, nil
		it = next
	}
	l.Items, l.Funcs = items, funcs
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
		if w.chain != nil {
			it.Home = &w.chain.Home
		}
		if it == w.flushed {
			p.waits[it] = append(w.flushers, p.waits[it]...)
			w.flushed, w.flushers, flag = nil, nil, messages.Awaited
		}
		if i < active {
			it.List = messages.OnWorklist | flag
			if w.chain != nil {
				w.chain.first = it
			}
			p.relist(w, it)
		} else {
			w.rideBack(it, flag)
		}
	}
	w.share.room.add(len(rest))
	if w.share.pacer.bucket != nil {
		w.share.pacer.paid += active
	}
	p.pol.Return(&w.pol, active, len(rest)-active)
	p.activate(w.share)
	if w.parked.first != nil || w.passing.first != nil {
		p.letGo(w)
	}
}

// takeBackAll does so for several: the newest lease first, so that the oldest
// items end up in front.
func (p *pool) takeBackAll(from []*policy.Worker) {
	for _, w := range slices.Backward(from) {
		p.takeBack(p.workers[w.ID])
	}
}
