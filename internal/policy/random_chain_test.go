package policy

import (
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// arrivesKeyed brings items of one of a few keys, the same in every share.
func (r *randomShell) arrivesKeyed(t *rapid.T) {
	var items []string
	for i := range rapid.IntRange(1, 6).Draw(t, "n") {
		items = append(items, fmt.Sprint(r.items+1+i))
	}
	r.arriveKeyed(r.share(t), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key"), items...)
}

// checkKeys holds a share's keys against the obvious: of each key one item at most
// is listed, or one lease is out; the others are held; and from what executes to
// what came last all are in the order in which they came.
func (r *randomShell) checkKeys(t *rapid.T, q *testShare) {
	firsts := make(map[*testChain][]*testItem)
	add := func(it *testItem) {
		if it.q == q && it.chain != nil {
			firsts[it.chain] = append(firsts[it.chain], it)
		}
	}
	leases := make(map[*testChain][]*testItem)
	for _, w := range r.workers {
		if w.q == q && w.chain != nil && len(w.items) > 0 {
			require.Empty(t, leases[w.chain], "two leases of key %s", w.chain.key)
			leases[w.chain] = w.items
		}
	}
	for _, l := range [][]*testItem{r.list, q.inactive, r.parked} {
		for _, it := range l {
			add(it)
		}
	}
	held := 0
	for key, c := range q.chains {
		held += len(c.held)
		require.Equal(t, len(c.held), c.Held())
		require.False(t, c.Idle(), "key %s has nothing, and is kept", key)
		if len(leases[c]) > 0 {
			require.Empty(t, firsts[c], "key %s executes, and could be leased once more", key)
		} else {
			require.Len(t, firsts[c], 1, "key %s has no first item, or several", key)
		}
		last := 0
		for _, it := range append(append(slices.Clip(leases[c]), firsts[c]...), c.held...) {
			require.Greater(t, it.no, last, "key %s: %s was overtaken", key, it.name)
			last = it.no
		}
		delete(firsts, c)
	}
	require.Equal(t, held, q.Held())
	require.Empty(t, firsts, "items of a key that is forgotten")
}
