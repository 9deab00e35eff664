package policy

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// freezes stops a share, or lets it go on. What the model remembers is what may
// still run: what was active then.
func (r *randomShell) freezes(t *rapid.T) {
	q := r.share(t)
	if q.Frozen() || q.Paused() {
		r.thaw(q)
		return
	}
	r.uncoupleAll()
	if q.Freeze(); rapid.Bool().Draw(t, "pause") {
		if q.Pause(); rapid.Bool().Draw(t, "thaw") {
			q.Thaw() // the pause is enough
		}
	}
	for _, w := range r.workers {
		if w.q == q && !w.sleeping {
			r.takeBack(w)
		}
	}
	r.verify(false)
	active := map[*testItem]bool{}
	for _, it := range r.activeOf(q) {
		active[it] = true
	}
	r.active[q] = active
	r.turn()
}

func (r *randomShell) thaw(q *testShare) {
	q.Resume()
	q.Thaw()
	r.activate(q)
	r.turn()
}

// activeOf are the items of a share that have a slot, or run.
func (r *randomShell) activeOf(q *testShare) (items []*testItem) {
	for _, it := range r.list {
		if it.q == q {
			items = append(items, it)
		}
	}
	for _, it := range r.parked {
		if it.q == q {
			items = append(items, it)
		}
	}
	for _, w := range r.workers {
		if w.whole {
			items = append(items, itemsOf(q, w.items)...)
		} else if w.q == q {
			items = append(items, w.items...)
		}
	}
	return items
}

// checkFrozen: nothing of a frozen share becomes active, and it is still when all
// that was has ended.
func (r *randomShell) checkFrozen(t *rapid.T) {
	for _, q := range r.shares {
		if !q.Frozen() && !q.Paused() {
			require.False(t, q.Still())
			continue
		}
		items := r.activeOf(q)
		for _, it := range items {
			require.True(t, r.active[q][it], "%s: %s became active in the frost", q.name, it.name)
		}
		if len(items) > 0 {
			require.False(t, q.Still(), q.name)
		}
		if q.Executing() == 0 && len(items) == 0 {
			require.True(t, q.Still(), q.name)
		}
		n, _ := q.Borrow()
		require.Zero(t, n, "a frozen share asks for no slots")
	}
}
