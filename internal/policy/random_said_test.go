package policy

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func (r *randomShell) share(t *rapid.T) *testShare {
	return rapid.SampledFrom(r.shares).Draw(t, "share")
}

func isRunning(w *testWorker) bool { return w.q != nil && !w.sleeping && w.taken > 0 }
func isAsleep(w *testWorker) bool  { return w.q != nil && w.sleeping }
func isAwake(w *testWorker) bool   { return w.q != nil && !w.sleeping }

func (r *randomShell) worker(t *rapid.T, ok func(*testWorker) bool) *testWorker {
	var fit []*testWorker
	for _, w := range r.workers {
		if ok(w) {
			fit = append(fit, w)
		}
	}
	if len(fit) == 0 {
		t.Skip("there is none")
	}
	return rapid.SampledFrom(fit).Draw(t, "worker")
}

func (r *randomShell) arrives(t *rapid.T) {
	var items []string
	for i := range rapid.IntRange(1, 12).Draw(t, "n") {
		items = append(items, fmt.Sprint(r.items+1+i))
	}
	r.arrive(r.share(t), items...)
}

func (r *randomShell) starts(t *rapid.T) {
	r.take(r.worker(t, func(w *testWorker) bool { return isAwake(w) && w.taken < len(w.items) }))
}

func (r *randomShell) ends(t *rapid.T) {
	w := r.worker(t, isAwake)
	busy := rapid.SampledFrom([]time.Duration{0, 10 * time.Microsecond, time.Millisecond, 20 * time.Millisecond}).Draw(t, "busy")
	if len(w.items) == 0 {
		busy = 0
	}
	r.done(w, busy, 0)
}

func (r *randomShell) ticks(t *rapid.T) {
	r.now += TickPeriod
	r.tick(Gauges{
		Running: rapid.IntRange(0, 4).Draw(t, "running"), Runnable: rapid.IntRange(0, 4).Draw(t, "runnable"),
		Procs: 4, Valid: rapid.Bool().Draw(t, "valid"),
	})
}

func (r *randomShell) cancels(t *rapid.T) {
	if r.items == 0 {
		t.Skip("there is none")
	}
	r.cancel(fmt.Sprint(rapid.IntRange(1, r.items).Draw(t, "item")))
}

func (r *randomShell) limits(t *rapid.T) {
	q := r.share(t)
	r.limit[q] = rapid.IntRange(0, 6).Draw(t, "limit")
	q.SetLimit(r.limit[q])
	r.activate(q)
	r.turn()
}

func (r *randomShell) later(t *rapid.T) {
	r.now += rapid.SampledFrom([]time.Duration{time.Microsecond, time.Millisecond, 11 * time.Millisecond, 301 * time.Second}).Draw(t, "d")
}

// offline and online are a CPU's going down and up.
func (r *randomShell) offline() {
	r.uncoupleAll()
	back := slices.Clone(r.p.Disassociate())
	r.verify(false)
	for _, w := range back {
		r.takeBack(r.of(w))
	}
	r.turn()
}

func (r *randomShell) online() {
	r.p.Rebind()
	r.turn()
}

// parks takes the worklist's head off it, as if a worker were running it.
func (r *randomShell) parks(t *rapid.T) {
	if len(r.list) == 0 {
		t.Skip("there is none")
	}
	it := r.list[0]
	r.list, r.parked = slices.Clone(r.list[1:]), append(r.parked, it)
	r.p.Park(it.q.Share)
	r.turn()
}

func (r *randomShell) unparks(t *rapid.T) {
	if len(r.parked) == 0 {
		t.Skip("there is none")
	}
	r.unpark()
	r.turn()
}

func (r *randomShell) unpark() {
	it := r.parked[0]
	it.leased = true // its order is its worker's affair
	r.parked, r.list = r.parked[1:], slices.Concat([]*testItem{it}, r.list)
	r.p.Unpark(it.q.Share)
}

// finishAll lets everything come to its end: there is no item that never starts.
func (r *randomShell) finishAll() {
	for _, q := range r.shares {
		q.Thaw()
		q.Resume()
		r.limit[q] = max(1, r.limit[q])
		q.SetLimit(r.limit[q])
		r.activate(q)
	}
	for len(r.parked) > 0 {
		r.unpark()
	}
	r.manual = false
	r.retry(nil)
	for slices.ContainsFunc(r.workers, func(w *testWorker) bool { return w.q != nil }) {
		for _, w := range r.workers {
			if w.q != nil && w.sleeping {
				r.wakes(w)
			}
			if w.q != nil {
				r.done(w, 0, 0)
			}
		}
	}
	for _, q := range r.shares {
		if !q.Idle() || q.Held() > 0 || len(q.chains) > 0 || q.Epoch.Unfinished() > 0 {
			r.broken = fmt.Errorf("%s: %d active, %d inactive, %d unfinished at the end", q.name, q.Active(), q.Inactive(), q.Epoch.Unfinished())
		}
	}
}

// check holds the shares against the model: an item is on the worklist, in a
// lease, or inactive; slots are taken by the first two, one each, riders and
// items of a lease that have ended apart.
func (r *randomShell) check(t *rapid.T) {
	require.NoError(t, r.broken)
	r.checkFrozen(t)
	for _, q := range r.shares {
		waiting := slices.DeleteFunc(slices.Clone(r.list), func(it *testItem) bool { return it.q != q })
		slots, most := 0, 0
		for _, it := range r.parked {
			if it.q == q {
				slots, most = slots+1, most+1
			}
		}
		for _, w := range r.workers {
			if w.whole {
				n := len(itemsOf(q, w.items))
				slots, most = slots+n, most+n
			} else if w.q == q {
				slots += min(1, len(w.items))
				most += w.active
			}
		}
		require.Equal(t, len(waiting), q.Waiting(), q.name)
		require.Equal(t, len(q.inactive), q.Inactive(), q.name)
		require.LessOrEqual(t, len(waiting)+slots, q.Active(), "%s: fewer slots than items execute", q.name)
		require.LessOrEqual(t, q.Active(), len(waiting)+most, "%s: more slots than were given", q.name)
		if len(q.inactive) > 0 && !q.Frozen() && !q.Paused() {
			require.GreaterOrEqual(t, q.Active(), r.limit[q], "%s: items are inactive, slots are free", q.name)
		}
		requireOrder(t, q, append(waiting, q.inactive...))
		r.checkKeys(t, q)
	}
}

// requireOrder: what was never in a lease is in the order in which it came.
func requireOrder(t *rapid.T, q *testShare, items []*testItem) {
	last := 0
	for _, it := range items {
		if !it.leased && it.chain == nil { // keys take turns
			require.Greater(t, it.no, last, "%s: %s was overtaken", q.name, it.name)
			last = it.no
		}
	}
}
