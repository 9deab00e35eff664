package actors

import (
	"slices"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// verify checks the pool at the end of a turn; only in builds with checks on.
func (p *pool) verify() {
	shares := make([]*policy.Share, len(p.shares))
	for i, s := range p.shares {
		shares[i] = &s.pol
		s.inactive.verify(s.pol.Inactive())
		invariants.Check(p.stopped || s.full.Load() == s.pol.Congested(), "pool %s: who asks is told wrongly whether it is congested", p.name)
		s.has().keys.verify(p, s.pol.Held())
	}
	err := p.pol.Verify(shares...)
	invariants.Check(err == nil, "pool %s: %v", p.name, err)
	p.list.verify(p.pol.Waiting())
	for i, w := range p.leased {
		invariants.Check(w.at == i && w.share != nil && p.worker(w.pol.ID) == w, "%s: leased, and not where it should be", w.name)
	}
	p.verifyRescue()
	if it := p.list.first; it != nil && p.runs(it) == nil && !p.elsewhere(it) {
		_, ok := p.pol.Offer(&home(it).pol)
		invariants.Check(!ok, "pool %s: work could start, and does not", p.name)
	}
}

// verify checks that the keys have so many held items together, and know their first
// ones; many are not counted.
func (k *keys) verify(p *pool, held int) {
	if len(k.chains) > 200 {
		return
	}
	n := 0
	for _, c := range k.chains {
		invariants.Check(!c.pol.Idle(), "key %v has nothing, and is kept", c.key)
		c.held.verify(c.pol.Held())
		if it := c.first; it == nil {
			leased := slices.ContainsFunc(p.leased, func(w *worker) bool { return w.chain == c })
			invariants.Check(leased || c.pol.Awaits(), "key %v: nobody knows where its first item is", c.key)
		} else {
			l := it.List &^ messages.Awaited
			invariants.Check(keyOf(it) == c && l != messages.Unlisted && l != messages.OnHeld, "key %v: its first item is not listed", c.key)
		}
		n += c.pol.Held()
	}
	invariants.Check(n == held, "%d items of keys are held, %d counted", n, held)
}

// verify checks that a list has n items; a long one is not walked.
func (l *list) verify(n int) {
	invariants.Check((l.first == nil) == (n == 0) && (l.last == nil) == (n == 0), "a list of %d items is empty, or not", n)
	if n > 200 {
		return
	}
	listed := 0
	for it := l.first; it != nil; it = it.Next {
		listed++
		invariants.Check(it.Next != nil || it == l.last, "a list ends before its last item")
	}
	invariants.Check(listed == n, "%d items listed, %d counted", listed, n)
}
