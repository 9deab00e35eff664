package actors

import (
	"maps"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// keyChain is the items of one key in one share. It is there while the key has any;
// those that are listed point to it, those in a lease to the share.
type keyChain struct {
	messages.Home
	pol   policy.Chain   // P:
	share *share         // I:
	key   any            // I:
	first *messages.Item // P: the first, while it is listed
	held  list           // P: behind the first, oldest first
	tell  []*keyAsk      // P: chains of newer shares that wait for this one's end
}

// keys are the chains of a share.
type keys struct {
	chains map[any]*keyChain // P: nil while there are none
	most   int               // P: chains that the map has held
	left   bool              // P: newer shares have the keys: no chain is added to
}

// keyOf gives the chain that a listed item is of, nil if it has no key.
func keyOf(it *messages.Item) *keyChain {
	c, _ := it.Home.Owner.(*keyChain)
	return c
}

// add makes the chain of a key that has none.
func (k *keys) add(s *share, key any) *keyChain {
	c := &keyChain{share: s, key: key}
	c.Owner = c
	if k.chains == nil {
		k.chains, k.most = make(map[any]*keyChain), 0
	}
	k.chains[key] = c
	k.most = max(k.most, len(k.chains))
	return c
}

// forget drops a chain that has no items, and tells who waits for that. A map does
// not shrink: one that has become much too large is made anew.
func (k *keys) forget(c *keyChain) {
	c.ended()
	delete(k.chains, c.key)
	switch n := len(k.chains); {
	case !policy.ShrinkKeys(n, k.most):
	case n == 0:
		k.chains = nil
	default:
		fresh := make(map[any]*keyChain, n)
		maps.Copy(fresh, k.chains)
		k.chains, k.most = fresh, n
	}
}

// offer says what may be leased of the share or key at the worklist's head.
func (p *pool) offer(s *share, c *keyChain) (policy.Offer, bool) {
	if c != nil {
		return p.pol.OfferKeyed(&s.pol, &c.pol)
	}
	return p.pol.Offer(&s.pol)
}

// arriveKeyed lists one item, and gives what comes after it.
func (p *pool) arriveKeyed(it *messages.Item) (rest *messages.Item) {
	l := it.Home.Owner.(*lane)
	s := l.share
	if s.pol.Retired() || s.has().keys.left {
		return p.arriveRetired(s, it, nil)
	}
	rest = it.Next
	c := s.has().keys.chains[l.key]
	if c == nil {
		c = s.gets().keys.add(s, l.key)
		p.askOlder(c)
	}
	it.Home, it.Epoch = &c.Home, s.pol.Epoch.Now()
	s.arrived++
	s.stamp(it, 1)
	p.attach(s)
	switch held, active := p.pol.ArriveKeyed(&s.pol, &c.pol); {
	case held:
		it.List = messages.OnHeld
		c.held.append(it, it)
	case active:
		c.first, it.List = it, messages.OnWorklist
		p.activated(s, it, 1)
		p.list.append(it, it)
	default:
		c.first = it
		p.hold(s, it, it)
	}
	return rest
}

// follow lists the next item of a key whose first has ended, or was taken off.
func (p *pool) follow(c *keyChain) {
	s := c.share
	follows, active := p.pol.Follow(&s.pol, &c.pol)
	if !follows {
		s.gets().keys.forget(c)
		return
	}
	it := c.held.shift()
	c.first = it
	flag := it.List & messages.Awaited
	if active {
		p.activated(s, it, 1)
		it.List = messages.OnWorklist | flag
		p.list.append(it, it)
		return
	}
	it.List = messages.OnInactive | flag
	s.inactive.append(it, it)
	s.congest()
	p.borrow(s)
}

// fillKeyed moves the worklist's head, a chain's first item, into a lease, and
// what may ride behind it. They forget their key: a lease is done as a whole.
func (p *pool) fillKeyed(w *worker, c *keyChain, riders int) {
	p.fill(w, &c.Home, &p.list, 1)
	w.lease.Active, c.first = 1, nil
	n := 0
	for n < riders && w.flushed == nil && !p.elsewhere(c.held.first) && p.fill(w, &c.Home, &c.held, 1) == 1 {
		n++
	}
	for _, it := range w.lease.Items {
		it.Home = &c.share.Home
	}
	p.pol.LeaseKeyed(&w.pol, &c.share.pol, &c.pol, n)
	w.chain = c
}

// rideBack puts a rider of a lease where it came from.
func (w *worker) rideBack(it *messages.Item, flag messages.List) {
	if w.chain != nil {
		it.List = messages.OnHeld | flag
		w.chain.held.prepend(it)
		return
	}
	it.List = messages.OnInactive | flag
	w.share.inactive.prepend(it)
}
