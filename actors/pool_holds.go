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
	runs  bool   // of the item: who runs it, whether it is pending or not
	key   *chainAt
	reply chan holds
}

// holds is the answer. If it names nobody, nothing of this pool holds it up.
type holds struct {
	who      messages.Party // the item, if it is pending
	run      *holder        // runs the item
	by       []holder       // must end before the item can start
	older    []chainAt      // have items that must end before
	inactive *share         // the item needs a slot of it
	slots    []holder       // what a share's slots are with
	limit    int            // of the share
	pending  int            // items of the share that have not been leased
	borrows  bool           // the share's slots are lent to others, too
	free     bool           // a slot of the share may come free whoever has them: it is frozen, or paused
	gone     bool           // the item is not here, or between two steps
}

// holdsFor asks; the answer takes a turn and no more.
func (p *pool) holdsFor(a *holdsAsk) holds {
	a.reply = make(chan holds, 1)
	if _, ok := p.mb.post(&messages.NewControl(a).Item); !ok {
		return holds{gone: true}
	}
	return <-a.reply
}

// holds answers. Every lease is cut down to the item it is at, as for an ask.
func (p *pool) holds(a *holdsAsk) holds {
	for _, w := range p.leased {
		p.takeBack(w)
	}
	switch {
	case a.key != nil:
		return p.holdsKey(a.key)
	case a.runs:
		return holds{run: p.executes(a.item)}
	case a.slots:
		h := holds{pending: a.share.pol.Pending()}
		p.wantSlot(a.share, &h)
		return h
	case a.share != nil:
		return p.holdsQueue(a)
	case a.ended != nil:
		for _, w := range p.leased {
			if slices.Contains(w.waiters, waiter(sleeper(a.ended))) || slices.Contains(w.flushers, waiter(sleeper(a.ended))) {
				return holds{run: &holder{w: w, q: w.share.queue}}
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
	case p.has(it, s):
		return p.holdsListed(it)
	case s&messages.Pending == 0:
		if h := p.executes(it); h != nil {
			return holds{run: h}
		}
	}
	return holds{gone: true}
}

// holdsListed says what holds up an item that is on one of the pool's lists: the
// execution that it is, if it runs already, those of its key before it, and a slot.
// One on the worklist starts in its turn else, since who waits sleeps.
func (p *pool) holdsListed(it *messages.Item) (h holds) {
	s := home(it)
	h.who = s.queue.party()
	h.who.Item = true
	p.ownRun(it, &h)
	switch it.List &^ messages.Awaited {
	case messages.OnHeld:
		p.before(keyOf(it), &h)
		p.wantSlot(s, &h)
	case messages.OnInactive:
		p.wantSlot(s, &h)
	default: // it starts, or waits for the execution that it is
	}
	return h
}

// wantSlot adds that a slot of a share is needed. So it is for what is held for its
// key: whoever has a slot now, one must come free for it, that of its key's first or
// another.
func (p *pool) wantSlot(s *share, h *holds) {
	h.inactive = s
	h.slots, h.free = p.slotsOf(s)
	h.limit, h.borrows = s.pol.Limit(), s.borrows
}

// slotsOf are the executions that a share's slots are with: the share's own, and those
// that an item with a slot waits for, because it is them. Slots of items that will
// start are not with anybody. free says that it is for Thaw, or Resume, to free one.
func (p *pool) slotsOf(s *share) (with []holder, free bool) {
	if s.pol.Frozen() && p.sys.frozen.Load() || s.pol.Paused() || s.pol.Shut() {
		return nil, true
	}
	for _, w := range p.leased {
		if w.share == s && w.holding() {
			with = append(with, holder{w: w, q: w.share.queue})
		}
		for it := w.parked.first; it != nil; it = it.Next {
			if home(it) == s {
				with = append(with, holder{w: w, q: w.share.queue})
			}
		}
	}
	for it := p.abroad.first; it != nil; it = it.Next {
		if home(it) == s {
			with = append(with, holder{abroad: it})
		}
	}
	return with, false
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
	m.item.List &^= messages.Awaited // it is listed, else the wait were with a worker
}
