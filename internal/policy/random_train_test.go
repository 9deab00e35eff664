package policy

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The same as TestRandomConversations, of shares whose items stand on the worklist in turn
// and are short: most leases are trains.
func TestRandomTrains(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := newTrains(t)
		t.Repeat(map[string]func(*rapid.T){
			"":       r.check,
			"arrive": r.arriveInTurn,
			"start":  r.starts,
			"done":   r.endsSoon,
			"end":    r.ends,
			"blocks": func(t *rapid.T) { r.blocks(r.worker(t, isRunning)) },
			"wakes":  func(t *rapid.T) { r.wakes(r.worker(t, isAsleep)) },
			"tick":   r.ticks,
			"cancel": r.cancels,
			"limit":  r.limits,
			"close":  func(t *rapid.T) { r.share(t).Epoch.Close() },
			"later":  r.later,
			"park":   r.parks,
			"unpark": r.unparks,
			"freeze": r.freezes,
			"width":  func(t *rapid.T) { r.p.SetCPUs(rapid.IntRange(0, 3).Draw(t, "cpus")); r.turn() },
		})
		r.finishAll()
		r.check(t)
	})
}

func newTrains(t *rapid.T) *randomShell {
	kind := rapid.SampledFrom([]Kind{Managed, Managed, PerCPU, Unbound}).Draw(t, "kind")
	r := &randomShell{newShell(kind, 1, 1), make(map[*testShare]int), make(map[*testShare]map[*testItem]bool)}
	for i := range rapid.IntRange(2, 4).Draw(t, "shares") {
		limit := rapid.SampledFrom([]int{1, 2, 100}).Draw(t, "limit")
		s := NewShare(limit, false)
		s.item = time.Microsecond
		s.Plain()
		q := &testShare{Share: s, name: fmt.Sprintf("q%d", i)}
		r.shares, r.limit[q] = append(r.shares, q), limit
	}
	r.turn()
	return r
}

// arriveInTurn brings some items to each share, one after the other.
func (r *randomShell) arriveInTurn(t *rapid.T) {
	for range rapid.IntRange(1, 5).Draw(t, "rounds") {
		for _, q := range r.shares {
			r.arrive(q, fmt.Sprint(r.items+1))
		}
	}
}

// endsSoon ends a lease in the time that it should take.
func (r *randomShell) endsSoon(t *rapid.T) {
	w := r.worker(t, isAwake)
	r.done(w, time.Duration(max(1, len(w.items)))*time.Microsecond, 0)
}

// itemsOf gives those of a share.
func itemsOf(q *testShare, items []*testItem) []*testItem {
	return slices.DeleteFunc(slices.Clone(items), func(it *testItem) bool { return it.q != q })
}
