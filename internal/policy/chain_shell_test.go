package policy

import (
	"fmt"
	"slices"
	"strings"
)

// testChain is what the shell knows of a key.
type testChain struct {
	*Chain
	key  string
	held []*testItem
}

// arriveKeyed brings items of one key.
func (sh *shell) arriveKeyed(q *testShare, key string, names ...string) {
	c := q.chains[key]
	if c == nil {
		c = &testChain{Chain: new(Chain), key: key}
		if q.chains == nil {
			q.chains = make(map[string]*testChain)
		}
		q.chains[key] = c
	}
	for _, name := range names {
		sh.items++
		it := &testItem{name: name, q: q, chain: c, no: sh.items, epoch: q.Epoch.Now()}
		switch held, active := sh.p.ArriveKeyed(q.Share, c.Chain); {
		case held:
			c.held = append(c.held, it)
		case active:
			sh.list = append(sh.list, it)
		default:
			q.inactive = append(q.inactive, it)
		}
	}
	sh.verify(false)
	sh.borrow(q)
	sh.turn()
}

// follow lets the next item of a key stand last in its share; a key without items
// is forgotten.
func (sh *shell) follow(q *testShare, c *testChain) {
	follows, active := sh.p.Follow(q.Share, c.Chain)
	switch {
	case !follows:
		delete(q.chains, c.key)
	case active:
		sh.list = append(sh.list, c.shift())
	default:
		q.inactive = append(q.inactive, c.shift())
	}
	sh.verify(false)
	sh.borrow(q)
}

func (c *testChain) shift() *testItem {
	it := c.held[0]
	c.held = slices.Clone(c.held[1:])
	return it
}

// leaseKeyed gives a key's first item, and held ones behind it.
func (sh *shell) leaseKeyed(q *testShare, c *testChain) bool {
	o, ok := sh.p.OfferKeyed(q.Share, c.Chain)
	if !ok {
		return false
	}
	epoch := sh.list[0].epoch
	riders := prefix(c.held, o.Riders, func(it *testItem) bool { return it.epoch == epoch })
	sh.p.LeaseKeyed(o.Worker, q.Share, c.Chain, riders)
	w := sh.of(o.Worker)
	w.q, w.chain, w.epoch, w.active, w.taken, w.start = q, c, epoch, 1, 0, 0
	w.seq++
	w.items = slices.Concat(sh.list[:1], c.held[:riders])
	sh.list, c.held = slices.Clone(sh.list[1:]), slices.Clone(c.held[riders:])
	s := fmt.Sprintf("w%d gets%s", w.ID, names(w.items[:1]))
	if riders > 0 {
		s += ", and behind it" + names(w.items[1:])
	}
	sh.say("%s", s)
	sh.verify(false)
	return true
}

// rideBack puts the riders of a lease where they came from.
func (w *testWorker) rideBack(items []*testItem) {
	if w.chain != nil {
		w.chain.held = slices.Concat(items, w.chain.held)
	} else {
		w.q.inactive = slices.Concat(items, w.q.inactive)
	}
}

func (sh *shell) cancelHeld(q *testShare, name string) bool {
	for _, c := range q.chains {
		if i := indexOf(c.held, name); i >= 0 {
			it := c.held[i]
			c.held = slices.Delete(slices.Clone(c.held), i, i+1)
			sh.p.Unhold(q.Share, c.Chain)
			sh.finish(q, it.epoch, 1)
			sh.verify(false)
			sh.turn()
			return true
		}
	}
	return false
}

// chained writes the held items of a share, key by key.
func (q *testShare) chained() string {
	var s []string
	for key, c := range q.chains {
		if len(c.held) > 0 {
			s = append(s, fmt.Sprintf(", behind %s%s", key, bracket(c.held)))
		}
	}
	slices.Sort(s)
	return strings.Join(s, "")
}
