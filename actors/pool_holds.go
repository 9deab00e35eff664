package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// holdsAsk asks a pool what holds up an item, or what is executed of a share.
type holdsAsk struct {
	item  *messages.Item
	ended chan error // of a wait for the item that the pool knows; nil: its only instance
	share *share
	epoch uint32 // of the share: up to it
	all   bool   // of the share: whatever its epoch
	slots bool   // of the share: who has its slots
	reply chan holds
}

// holds is the answer. If it names nobody, nothing of this pool holds it up.
type holds struct {
	who      messages.Party // the item, if it is pending
	run      *holder        // runs the item
	by       []holder       // must end before the item can start
	inactive *share         // the item waits for a slot of it
	slots    []holder       // what a share's slots are with
	limit    int            // of the share
	borrows  bool           // the share's slots are lent to others, too
	free     bool           // a slot of the share will be free
	gone     bool           // the item is not here, or between two steps
}

// holdsFor asks; the answer takes a turn and no more.
func (p *pool) holdsFor(a *holdsAsk) holds {
	a.reply = make(chan holds, 1)
	if _, ok := p.mb.post(&messages.NewControl(a).Item); !ok {
		return holds{free: true, gone: true}
	}
	return <-a.reply
}

// holds answers. Every lease is cut down to the item it is at, as for an ask.
func (p *pool) holds(a *holdsAsk) holds {
	for _, w := range p.leased {
		p.takeBack(w)
	}
	switch {
	case a.slots:
		with, free := p.slotsOf(a.share)
		return holds{slots: with, free: free}
	case a.share != nil:
		return holds{by: p.executing(a)}
	case a.ended != nil:
		for _, w := range p.leased {
			if slices.Contains(w.waiters, waiter(sleeper(a.ended))) || slices.Contains(w.flushers, waiter(sleeper(a.ended))) {
				return holds{run: &holder{w, w.share.queue}}
			}
		}
		if slices.Contains(p.waits[a.item], waiter(sleeper(a.ended))) {
			return p.holdsListed(a.item)
		}
		return holds{}
	}
	it := a.item
	s := it.State()
	switch {
	case s&messages.Pending != 0 && s.Place() == p.id && s&messages.Delayed == 0 && !p.starting(it, s) && it.List != messages.Unlisted:
		return p.holdsListed(it)
	case s&messages.Pending == 0 && s&messages.Running != 0 && s.Runner() == p.id:
		if w := p.worker(s.Worker()); w != nil && w.share != nil && s.RunBy(w.runs) {
			return holds{run: &holder{w, w.share.queue}}
		}
	}
	return holds{gone: true}
}

// holdsListed says what holds up an item that is on one of the pool's lists: the
// execution that it is, if it runs already, and a slot. One on the worklist starts in
// its turn else, since who waits sleeps.
func (p *pool) holdsListed(it *messages.Item) (h holds) {
	s := home(it)
	h.who = s.queue.party()
	h.who.Item = true
	if w := p.runs(it); w != nil && w.share != nil {
		h.by = []holder{{w, w.share.queue}}
	}
	switch it.List &^ messages.Flushed {
	case messages.OnHeld:
		for _, w := range p.leased {
			if w.chain == keyOf(it) {
				h.by = append(h.by, holder{w, w.share.queue})
			}
		}
	case messages.OnInactive:
		h.inactive = s
		h.slots, h.free = p.slotsOf(s)
		h.limit, h.borrows = s.pol.Limit(), s.borrows
	default: // it starts, or waits for the execution that it is
	}
	return h
}

// slotsOf are the executions that a share's slots are with: the share's own, and those
// that an item with a slot is parked behind. free says that an item with a slot has
// not started, and will, or that it is for Thaw to free one.
func (p *pool) slotsOf(s *share) (with []holder, free bool) {
	if s.pol.Waiting() > 0 || s.pol.Frozen() {
		return nil, true
	}
	for _, w := range p.leased {
		if w.share == s && w.holding() {
			with = append(with, holder{w, w.share.queue})
		}
		for it := w.parked.first; it != nil; it = it.Next {
			if home(it) == s {
				with = append(with, holder{w, w.share.queue})
			}
		}
	}
	return with, false
}

// executing are the workers that run something of a share up to an epoch, or that such
// an item is parked with.
func (p *pool) executing(a *holdsAsk) (by []holder) {
	meant := func(s *share, epoch uint32) bool { return s == a.share && (a.all || upTo(epoch, a.epoch)) }
	for _, w := range p.leased {
		ok := w.holding() && meant(w.share, w.lease.Epoch)
		for it := w.parked.first; it != nil && !ok; it = it.Next {
			ok = meant(home(it), it.Epoch)
		}
		if ok {
			by = append(by, holder{w, w.share.queue})
		}
	}
	return by
}

// holding says whether a worker whose lease was cut down has anything of it: the lease
// may have been taken back before it began.
func (w *worker) holding() bool {
	taken, _ := w.lease.Progress()
	return taken > 0
}

// unwait is told to a pool by who does not wait for an item any more.
type unwait struct {
	item  *messages.Item
	ended chan error
}

func (p *pool) unwait(m *unwait) {
	is := func(c waiter) bool { return c == waiter(sleeper(m.ended)) }
	for _, w := range p.leased {
		w.waiters = slices.DeleteFunc(w.waiters, is)
		w.flushers = slices.DeleteFunc(w.flushers, is)
	}
	l, ok := p.waits[m.item]
	if !ok {
		return
	}
	if l = slices.DeleteFunc(l, is); len(l) > 0 {
		p.waits[m.item] = l
		return
	}
	delete(p.waits, m.item)
	m.item.List &^= messages.Flushed // it is listed, else the wait were with a worker
}
