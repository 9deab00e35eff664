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
	who   messages.Party // the item, if it is pending
	run   *holder        // runs the item
	by    []holder       // must end before the item can start
	any   bool           // one of them is enough
	slots *Queue         // whose slots, lent to several shares, the item waits for
	free  bool           // a slot of the share is free, or will be
	gone  bool           // the item is not here, or between two steps
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
		return p.holdSlots(a.share)
	case a.share != nil:
		return holds{by: p.holders(func(s *share, epoch uint32) bool {
			return s == a.share && (a.all || upTo(epoch, a.epoch))
		})}
	case a.ended != nil:
		for _, w := range p.leased {
			if slices.Contains(w.waiters, a.ended) || slices.Contains(w.flushers, a.ended) {
				return holds{run: &holder{w, w.share.queue}}
			}
		}
		if slices.Contains(p.waits[a.item], a.ended) {
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

// holdsListed says what holds up an item that is on one of the pool's lists. One
// on the worklist starts in its turn, since who waits sleeps.
func (p *pool) holdsListed(it *messages.Item) holds {
	s := home(it)
	h := holds{who: s.queue.party()}
	h.who.Item = true
	switch it.List &^ messages.Flushed {
	case messages.OnParked, messages.OnPassing:
		if w, _ := p.parkedWith(it); w != nil { // else what it waits for is in another pool
			h.by = []holder{{w, w.share.queue}}
		}
	case messages.OnHeld:
		for _, w := range p.leased {
			if w.chain == keyOf(it) {
				h.by = []holder{{w, w.share.queue}}
			}
		}
	case messages.OnInactive:
		if s.pol.Frozen() {
			break // it is for Thaw to let it go on
		}
		h.any = true
		if s.borrows {
			h.slots = s.queue
			break
		}
		h.by = p.holdSlots(s).by
	}
	return h
}

// holdSlots are the executions that a share's slots are with: the share's own,
// and those that an item with a slot is parked behind.
func (p *pool) holdSlots(s *share) (h holds) {
	if s.pol.Waiting() > 0 {
		return holds{free: true} // that starts and ends
	}
	h.by = p.holders(func(of *share, _ uint32) bool { return of == s })
	return h
}

// holders are the workers that hold something that is meant: their lease, or an
// item that is parked with them.
func (p *pool) holders(meant func(s *share, epoch uint32) bool) (by []holder) {
	for _, w := range p.leased {
		ok := meant(w.share, w.lease.Epoch)
		for it := w.parked.first; it != nil && !ok; it = it.Next {
			ok = meant(home(it), it.Epoch)
		}
		if ok {
			by = append(by, holder{w, w.share.queue})
		}
	}
	return by
}

// unwait is told to a pool by who does not wait for an item any more.
type unwait struct {
	item  *messages.Item
	ended chan error
}

func (p *pool) unwait(m *unwait) {
	is := func(c chan error) bool { return c == m.ended }
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
