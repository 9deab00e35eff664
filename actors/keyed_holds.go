package actors

import "github.com/cmwq/cmwq/messages"

// What holds up an item with a key: those before it with the key, in this share or
// in older ones, and what it is itself wherever that runs.

// chainAt names a key of a share.
type chainAt struct {
	share *share
	key   any
}

// holdsKey says what holds up the last item of a key, as for an item behind it.
func (p *pool) holdsKey(at *chainAt) (h holds) {
	c := at.share.has().keys.chains[at.key]
	if c == nil {
		return h // and there will be none: a newer share has asked
	}
	h.who = at.share.queue.party()
	p.before(c, &h)
	if c.pol.Held() > 0 || c.first != nil && c.first.List&^messages.Awaited == messages.OnInactive {
		p.wantSlot(at.share, &h)
	}
	return h
}

// before adds what must end before the held items of a chain: who executes its
// first, or what that one waits for, or the key's items in older shares. Those in
// between were held up by nothing else when they were queued; one that comes to run
// elsewhere has the waits there looked at when its turn has come.
func (p *pool) before(c *keyChain, h *holds) {
	for _, w := range p.leased {
		if w.chain == c {
			h.by = append(h.by, holder{w: w, q: w.share.queue})
		}
	}
	if c.first != nil {
		p.ownRun(c.first, h)
	}
	if !c.pol.Awaits() {
		return
	}
	for _, o := range c.share.queue.table.Load().old {
		if o.born < c.share.born && o.room == nil {
			h.older = append(h.older, chainAt{o, c.key})
		}
	}
}

// ownRun adds the execution that an item is already.
func (p *pool) ownRun(it *messages.Item, h *holds) {
	if w := p.runs(it); w != nil && w.share != nil {
		h.by = append(h.by, holder{w: w, q: w.share.queue})
	} else if p.elsewhere(it) {
		h.by = append(h.by, holder{abroad: it})
	}
}

// executes gives who runs an item in this pool, nil if nobody does.
func (p *pool) executes(it *messages.Item) *holder {
	s := it.State()
	if s&messages.Running == 0 || s.Runner() != p.id {
		return nil
	}
	w := p.worker(s.Worker())
	if w == nil || w.share == nil || !s.RunBy(w.runs) {
		return nil
	}
	return &holder{w: w, q: w.share.queue}
}

// runsAt finds who runs an item that waits in another pool for that; nil if it has
// ended by now.
func runsAt(it *messages.Item) *holder {
	s := it.State()
	if s&messages.Running == 0 {
		return nil
	}
	p, ok := places.get(s.Runner()).(*pool)
	if !ok {
		return nil
	}
	return p.holdsFor(&holdsAsk{item: it, runs: true}).run
}

// chain is the node of a key's items in an older share.
func (k *walk) chain(at chainAt) int {
	if n, ok := k.chains[at]; ok {
		return n
	}
	n := k.node(0, at.share.queue.party())
	k.chains[at] = n
	k.fill(n, at.share.pool.holdsFor(&holdsAsk{key: &at}))
	return n
}
