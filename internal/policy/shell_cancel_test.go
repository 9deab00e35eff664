package policy

import (
	"fmt"
	"slices"
)

// cancel takes an item off whatever list it is on; one in a lease comes back
// from it first, if it has not started.
func (sh *shell) cancel(name string) bool {
	for _, w := range sh.workers {
		if w.q != nil && indexOf(w.items[w.taken:], name) >= 0 {
			sh.takeBack(w)
		}
	}
	if i := indexOf(sh.list, name); i >= 0 {
		it := sh.list[i]
		sh.list = slices.Delete(slices.Clone(sh.list), i, i+1)
		sh.withdraw(it, true)
		return true
	}
	for _, q := range sh.shares {
		if i := indexOf(q.inactive, name); i >= 0 {
			it := q.inactive[i]
			q.inactive = slices.Delete(slices.Clone(q.inactive), i, i+1)
			sh.withdraw(it, false)
			return true
		}
		if sh.cancelHeld(q, name) {
			return true
		}
	}
	return false
}

func (sh *shell) withdraw(it *testItem, onWorklist bool) {
	sh.p.Withdraw(it.q.Share, onWorklist)
	sh.finish(it.q, it.epoch, 1)
	sh.verify(false)
	sh.activate(it.q)
	if it.chain != nil {
		sh.follow(it.q, it.chain)
	}
	sh.turn()
}

func indexOf(items []*testItem, name string) int {
	return slices.IndexFunc(items, func(it *testItem) bool { return it.name == name })
}

// names writes up to a dozen items.
func names(items []*testItem) (s string) {
	if n := len(items); n > 12 {
		return fmt.Sprintf(" %s .. %s", items[0].name, items[n-1].name)
	}
	for _, it := range items {
		s += " " + it.name
	}
	return s
}
