package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// waits are those who wait for an instance of an item that is listed.
type waits map[*messages.Item][]waiter

func (w waits) take(it *messages.Item) []waiter {
	l := w[it]
	delete(w, it)
	return l
}

func (w waits) release(err error) {
	for it, l := range w {
		releaseAll(l, err, nil)
		delete(w, it)
	}
}

// answer decides about one item. Every lease is cut down to the item it is at,
// so that what is pending here and not being started is on a list of this pool,
// and nobody else touches it.
func (p *pool) answer(a *ask) {
	for _, w := range p.leased {
		p.takeBack(w)
	}
	it := a.item
	s := it.State()
	runs := s&messages.Running != 0 && s.Runner() == p.id
	switch {
	case s&messages.Delayed != 0 && runs && a.what == askFlush: // it was armed again since
		a.tell(p.joinRun(a, p.worker(s.Worker())))
	case s&messages.Pending != 0:
		if !p.has(it, s) {
			a.tell(gone)
			return
		}
		if a.what == askFlush || a.what == askAfter {
			it.List |= messages.Awaited
			p.waits[it] = append(p.waits[it], a.by)
			a.on = home(it).queue
			a.tell(waiting)
			return
		}
		a.on = home(it).queue
		if a.what == askGrab {
			p.obs.cancelled(it, nil)
		}
		a.after = p.withdraw(it, a.what == askGrab)
		if a.what != askGrab {
			a.on.countCancelled(a)
			releaseAll(a.after, nil, messages.ErrCancelled)
		}
		a.tell(removed)
	case runs && a.what != askCancel && a.what != askGrab:
		a.tell(p.joinRun(a, p.worker(s.Worker())))
	default:
		a.tell(gone)
	}
}

// has says whether an item in this state is pending on a list of this pool: the pool may
// take it off, once leases are taken back, and nobody else touches it.
func (p *pool) has(it *messages.Item, s messages.State) bool {
	return s&messages.Pending != 0 && s.Place() == p.id && s&messages.Delayed == 0 && !p.starting(it, s) && p.lists(it)
}

// lists says whether an item that is pending and names this pool is on a list of it, and
// not on its way. A pool that ends refuses items, and whoever is refused moves the item to
// another pool, which may write List at this moment; so one that ends, and has little left,
// looks at its lists.
func (p *pool) lists(it *messages.Item) bool {
	if !p.ending && !p.ended {
		return it.List != messages.Unlisted
	}
	return slices.ContainsFunc(p.shares, func(s *share) bool { return slices.Contains(p.listed(s), it) })
}

// starting says whether a worker took the item and has not begun it, or ended it
// and has not said so: both pass in a moment.
func (p *pool) starting(it *messages.Item, s messages.State) bool {
	for _, w := range p.leased {
		if w.lease.Last() == it && !s.RunBy(w.runs) && w.lost.Load() != it {
			return true
		}
	}
	return false
}

// joinRun waits for the execution that a worker is in. Its lease has no rest.
func (p *pool) joinRun(a *ask, w *worker) verdict {
	for {
		s := a.item.State()
		if w == nil || !s.RunBy(w.runs) {
			return gone
		}
		if a.what != askStop || s&messages.Stop != 0 || a.item.Swap(s, s|messages.Stop) {
			break
		}
	}
	if a.what == askStop {
		w.interrupt(a.item)
	}
	w.waiters = append(w.waiters, a.by)
	a.on = w.share.queue
	return waiting
}

// withdraw takes a listed item off, releases the callers that wait for it, and leaves
// it idle, or pending in the hands of the asker, who sees to the items after it.
func (p *pool) withdraw(it *messages.Item, keep bool) (after []waiter) {
	if keep {
		return p.takeOff(it, holdItem, nil)
	}
	return p.takeOff(it, leaveIdle, nil)
}

// leaveIdle leaves an item idle, and its room in the queue to another.
func leaveIdle(it *messages.Item) {
	queueOf(it).sys.obs.withdrawn(it)
	if t := it.Tries(); t != nil {
		t.End(messages.ErrCancelled)
		it.Tried(nil)
	}
	queueOf(it).bound.give()
	idleItem(it)
}

// takeOff takes a listed item off, gives it away, and tells err to the callers that
// wait for it.
func (p *pool) takeOff(it *messages.Item, give func(*messages.Item), err error) (after []waiter) {
	s, c := home(it), keyOf(it)
	switch it.List &^ messages.Awaited {
	case messages.OnWorklist:
		p.unlist(it)
		p.pol.Withdraw(&s.pol, true)
	case messages.OnInactive:
		s.inactive.remove(it)
		p.pol.Withdraw(&s.pol, false)
	case messages.OnHeld:
		c.held.remove(it)
		p.pol.Unhold(&s.pol, &c.pol)
		if !c.pol.Awaits() || c.pol.Held() > 0 {
			c = nil // its key goes on with the same first item
		}
	case messages.OnPassing:
		l := p.parkedWith(it)
		l.remove(it)
	default: // OnParked
		l := p.parkedWith(it)
		l.remove(it)
		p.pol.Unpark(&s.pol)
		p.pol.Withdraw(&s.pol, true)
	}
	it.List, it.Home = messages.Unlisted, &s.Home
	delete(s.has().told, it)
	s.room.add(-1)
	epoch := it.Epoch
	flushers, after := split(p.waits.take(it))
	give(it)                       // from here on it is its user's
	releaseAll(flushers, err, nil) // only now: who is released must not find it pending
	if e, empty := s.pol.Epoch.Finish(epoch, 1); empty {
		p.emptied(s, e)
	}
	p.activate(s)
	if c != nil {
		p.follow(c) // one that awaited older items has none any more, and is forgotten
	}
	p.detached(s)
	return after
}

// parkedWith finds the list of a parked or passing item: that of the worker that it
// waits for, or the pool's if that is of another pool.
func (p *pool) parkedWith(it *messages.Item) *list {
	for _, w := range p.leased {
		for _, l := range []*list{&w.parked, &w.passing} {
			for x := l.first; x != nil; x = x.Next {
				if x == it {
					return l
				}
			}
		}
	}
	return &p.abroad
}

// wake releases who waited for what a worker's lease ended with.
func (p *pool) wake(w *worker, err, failure error) {
	if w.flushed != nil {
		releaseAll(w.flushers, err, failure)
		w.flushed, w.flushers = nil, nil
	}
	if w.waiters != nil {
		releaseAll(w.waiters, err, failure)
		w.waiters = nil
	}
	for _, m := range w.tell {
		m.reply()
	}
	w.tell = nil
}
