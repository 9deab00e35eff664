package actors

import (
	"slices"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

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
		if s.pacer != nil && !p.mayStart(s) {
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
		if next := p.list.first; next == nil || next.Home == &s.Home || !p.couple(w, s) {
			riders := 0
			if l.Active == o.Active && w.flushed == nil {
				riders = p.fill(w, &s.Home, &s.inactive, o.Riders)
			}
			p.pol.Lease(&w.pol, &s.pol, l.Active, riders)
		}
	}
	s.congest()
	s.room.add(-len(l.Items))
	w.share, w.active = s, s.active(l)
	w.at = len(p.leased)
	p.leased = append(p.leased, w)
	w.phase.Store(phaseRunning)
	if l.Woken = w.doneTurn != p.turns; l.Woken {
		p.waking = w
		p.kicked(w, s)
		p.bringHome(w, s)
	}
	l.Grant()
	w.granted.Store(true)
	w.box.PostUserMessage(l)
	if s.pacer != nil {
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
	p.uncouple(w)
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
	if w.share.pacer != nil {
		w.share.pacer.paid += active
		w.remember(rest)
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
