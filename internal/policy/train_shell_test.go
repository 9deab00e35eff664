package policy

import (
	"fmt"
	"slices"
)

// train gives the items that stand behind those of a lease, as far as there is room, and
// says whether there are any.
func (sh *shell) train(to *Worker, q *testShare, taken int) bool {
	room, ok := sh.p.Room(q.Share, taken)
	n := taken
	if !ok || n == len(sh.list) || sh.list[n].q == q && sh.list[n].epoch == sh.list[0].epoch {
		return false
	}
	for ; n < len(sh.list) && sh.list[n].chain == nil; n++ {
		if !room.Takes(sh.list[n].q.Share) {
			break
		}
		if n == taken {
			sh.p.Depart(to, q.Share)
			for range taken {
				sh.p.Couple(to, q.Share)
			}
		}
		sh.p.Couple(to, sh.list[n].q.Share)
	}
	if n == taken {
		return false
	}
	w := sh.of(to)
	w.q, w.whole, w.taken, w.start = q, true, 0, 0
	w.seq++
	w.items = slices.Clone(sh.list[:n])
	sh.list = slices.Clone(sh.list[n:])
	for _, it := range w.items {
		it.leased = true
	}
	sh.say("w%d gets%s, together", w.ID, owned(w.items))
	sh.verify(false)
	return true
}

// owned writes up to a dozen items, with their shares.
func owned(items []*testItem) (s string) {
	if n := len(items); n > 12 {
		return fmt.Sprintf(" %s .. %s, %d items", items[0].name, items[n-1].name, n)
	}
	for _, it := range items {
		s += " " + it.q.name + "." + it.name
	}
	return s
}

// uncouple takes a train apart, as the actor does.
func (sh *shell) uncouple(w *testWorker, slower float64) {
	w.whole = false
	rest, ended := w.items[w.taken:], w.items[:max(0, w.taken-1)]
	if len(rest) > 0 {
		sh.say("w%d gives back%s", w.ID, owned(rest))
	}
	sh.list = slices.Concat(rest, sh.list)
	for _, it := range rest {
		sh.p.Uncouple(w.Worker, it.q.Share)
	}
	w.q, w.epoch = w.items[len(ended)].q, w.items[len(ended)].epoch
	w.items = w.items[len(ended):w.taken]
	w.active, w.taken = len(w.items), len(w.items)
	for _, it := range ended {
		sh.p.Passed(w.Worker, it.q.Share, slower, 0)
	}
	sh.p.Single(w.Worker, w.q.Share)
	sh.verify(false)
	w.seq++
	for _, it := range ended {
		sh.finish(it.q, it.epoch, 1)
		sh.activate(it.q)
	}
}

func (sh *shell) uncoupleAll() {
	for _, w := range slices.Backward(sh.workers) {
		if w.whole {
			sh.uncouple(w, 1)
		}
	}
}
