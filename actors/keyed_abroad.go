package actors

import "github.com/cmwq/cmwq/messages"

// An item goes to the pool of its key even while it runs in another pool: under
// another key before, or under none. It may not run twice at once, and its key may
// not be served by two pools; so its key's pool has it wait, slot and all, and asks
// the other pool to tell when that execution has ended.
type (
	tellEnd struct {
		item *messages.Item
		to   *pool
	}
	ranAbroad struct{ item *messages.Item }
)

// elsewhere says whether an item with a key runs in another pool.
func (p *pool) elsewhere(it *messages.Item) bool {
	if it.Kind != messages.KindWork || keyOf(it) == nil {
		return false
	}
	s := it.State()
	return s&messages.Running != 0 && s.Runner() != p.id
}

// await takes the worklist's head off until it has ended elsewhere.
func (p *pool) await(it *messages.Item) {
	p.unlist(it)
	it.List = messages.OnParked | it.List&messages.Awaited
	p.abroad.append(it, it)
	p.parked(home(it))
	p.askEnd(it)
}

func (p *pool) askEnd(it *messages.Item) {
	if x, ok := places.get(it.State().Runner()).(*pool); ok {
		if _, ok := x.mb.post(&messages.NewControl(&tellEnd{it, p}).Item); ok {
			return
		}
	}
	if !p.elsewhere(it) { // else the system stops, and this pool will drop it
		p.mb.post(&messages.NewControl(&ranAbroad{it}).Item)
	}
}

// onTellEnd is the other pool's answer: at once, or when the lease is done. What
// the lease has not started would only make it later.
func (p *pool) onTellEnd(m *tellEnd) {
	s := m.item.State()
	if s&messages.Running != 0 && s.Runner() == p.id {
		if w := p.worker(s.Worker()); w.share != nil {
			p.takeBack(w)
			w.tell = append(w.tell, m)
			w.lookAgain()
			return
		}
	}
	m.reply()
}

func (m *tellEnd) reply() { m.to.mb.post(&messages.NewControl(&ranAbroad{m.item}).Item) }

// onRanAbroad lists an item again, unless it was cancelled meanwhile.
func (p *pool) onRanAbroad(m *ranAbroad) {
	for it := p.abroad.first; it != nil; it = it.Next {
		if it != m.item {
			continue
		}
		if p.elsewhere(it) { // it runs again: it was cancelled, ran, and came back
			p.askEnd(it)
			return
		}
		p.abroad.remove(it)
		it.List = messages.OnWorklist | it.List&messages.Awaited
		p.prepend(it)
		p.pol.Unpark(&home(it).pol)
		return
	}
}
