package cmwq_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// keyedRun is one time that an item was queued.
type keyedRun struct {
	item, queue, key int // no key: -1
	running          bool
	waits            []*keyedRun
}

// keyedWaits is who waits for whom, in the plainest way: every run that has not ended,
// in the order in which they were queued.
type keyedWaits struct {
	runs  []*keyedRun
	limit []int // of each queue
}

// stuck gives the runs that never end, if all others end as soon as they can. Those
// that begin wait for nobody; so it does not matter who gets a slot first.
func (m *keyedWaits) stuck() []*keyedRun {
	left := slices.Clone(m.runs)
	for {
		n := len(left)
		for i := 0; i < len(left); {
			if m.mayEnd(left, i) {
				left = slices.Delete(left, i, i+1)
			} else {
				i++
			}
		}
		if len(left) == n {
			return left
		}
	}
}

func (m *keyedWaits) mayEnd(left []*keyedRun, i int) bool {
	r := left[i]
	if r.running {
		return !slices.ContainsFunc(r.waits, func(o *keyedRun) bool { return slices.Contains(left, o) })
	}
	slots := m.limit[r.queue]
	for k, o := range left {
		switch {
		case o == r:
		case o.running && o.item == r.item, k < i && r.key >= 0 && o.queue == r.queue && o.key == r.key:
			return false
		case o.running && o.queue == r.queue:
			slots--
		}
	}
	return slots > 0
}

// last is the last time that an item was queued, nil if it is idle.
func (m *keyedWaits) last(item int) *keyedRun {
	for _, r := range slices.Backward(m.runs) {
		if r.item == item {
			return r
		}
	}
	return nil
}

// keyedWaiters are the items that the model is of.
type keyedWaiters struct {
	*keyedWaits
	t      *testing.T
	rnd    *rand.Rand
	seed   uint64
	queues []*cmwq.Queue
	items  []*waiter
	again  bool // items are queued while they run, too
	waited int  // that did wait
	late   int  // refused after they had begun
}

func (w *keyedWaiters) queue() {
	i := w.rnd.IntN(len(w.items))
	r := &keyedRun{item: i, queue: w.rnd.IntN(len(w.queues)), key: w.rnd.IntN(4) - 1}
	if last := w.last(i); last != nil {
		if !w.again || !last.running {
			return
		}
		r.queue, r.key = 0, max(r.key, 0)
	}
	if r.key < 0 {
		require.NoError(w.t, w.queues[r.queue].Queue(w.items[i].Work))
	} else {
		require.NoError(w.t, w.queues[r.queue].Keyed(r.key).Queue(w.items[i].Work))
	}
	w.runs = append(w.runs, r)
}

// free gives the runs that do as they are told.
func (w *keyedWaiters) free() (l []*keyedRun) {
	for _, r := range w.runs {
		if r.running && r.waits == nil {
			l = append(l, r)
		}
	}
	return l
}

func (w *keyedWaiters) end(r *keyedRun) {
	w.runs = slices.DeleteFunc(w.runs, func(o *keyedRun) bool { return o == r })
	w.items[r.item].end()
}

// wait has a run wait for an item or a queue.
func (w *keyedWaiters) wait(r *keyedRun) {
	var f func(ctx context.Context) error
	if j := w.rnd.IntN(len(w.items)); w.rnd.IntN(4) > 0 {
		f = w.items[j].Flush
		if o := w.last(j); o != nil {
			r.waits = append(r.waits, o)
		}
	} else {
		q := w.rnd.IntN(len(w.queues))
		f = w.queues[q].Flush
		for _, o := range w.runs {
			if o.queue == q {
				r.waits = append(r.waits, o)
			}
		}
	}
	if r.waits == nil {
		r.waits = []*keyedRun{}
	}
	never := slices.Contains(w.stuck(), r)
	w.items[r.item].todo <- f
	synctest.Wait()
	select {
	case err := <-w.items[r.item].done:
		if never {
			require.ErrorIs(w.t, err, cmwq.ErrDeadlock, "seed %d", w.seed)
		} else {
			require.NoError(w.t, err, "seed %d", w.seed)
			require.Empty(w.t, r.waits, "seed %d", w.seed)
		}
		r.waits = nil
	default:
		w.waited++
		require.True(w.t, w.again || !never, "seed %d: item %d waits for ever", w.seed, r.item)
	}
}

// settle compares what happened with what had to: who waited for nobody any more went
// on; who was refused would have waited for ever; and nobody does now.
func (w *keyedWaiters) settle() {
	synctest.Wait()
	for _, r := range w.runs {
		if !r.running && !w.items[r.item].Busy().Pending {
			r.running = true
		}
	}
	stuck := w.stuck()
	for _, r := range w.runs {
		over := !slices.ContainsFunc(r.waits, func(o *keyedRun) bool { return slices.Contains(w.runs, o) })
		if !r.running || r.waits == nil {
			continue
		}
		select {
		case err := <-w.items[r.item].done:
			if errors.Is(err, cmwq.ErrDeadlock) {
				w.late++
				require.Contains(w.t, stuck, r, "seed %d: item %d would not have waited for ever", w.seed, r.item)
			} else {
				require.NoError(w.t, err)
				require.True(w.t, over, "seed %d: item %d does not wait", w.seed, r.item)
			}
			r.waits = nil
		default:
			require.False(w.t, over, "seed %d: item %d waits for nobody", w.seed, r.item)
		}
	}
	if !w.again {
		require.Empty(w.t, w.stuck(), "seed %d: somebody waits for ever", w.seed)
	}
}

// Items of keys, of queues with few slots, whose pools and limits change, wait for each
// other and for queues at random. A wait is refused exactly when the plainest model says
// that it never ends; if items are queued while they run, perhaps later than that, when
// those before them have ended.
func TestRandomWaitsWithKeysAgreeWithAModel(t *testing.T) {
	kinds := []cmwq.QueueOption{cmwq.MaxActive(0), cmwq.Unbound(), cmwq.PerCPU()}
	waited, late := 0, 0
	seeds := short.Some(120)
	for _, i := range seeds {
		seed := uint64(i)
		machine, _ := pods(t, fourPods)
		bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
			w := &keyedWaiters{
				keyedWaits: &keyedWaits{limit: []int{1024, 2}}, t: t,
				rnd: rand.New(rand.NewPCG(seed, 7)), seed: seed, again: seed%5 < 2,
			}
			w.queues = []*cmwq.Queue{
				queue(t, sys, "free", kinds[seed%3]), queue(t, sys, "few", kinds[seed%2], cmwq.MaxActive(2)),
			}
			for range 8 {
				w.items = append(w.items, newWaiter())
			}
			for range 80 {
				switch op := w.rnd.IntN(20); {
				case op < 8:
					w.queue()
				case op < 15:
					if l := w.free(); len(l) > 0 {
						w.wait(l[w.rnd.IntN(len(l))])
					}
				case op < 18:
					if l := w.free(); len(l) > 0 {
						w.end(l[w.rnd.IntN(len(l))])
					}
				case op == 18:
					w.limit[1] = 1 + w.rnd.IntN(3)
					require.NoError(t, w.queues[1].SetMaxActive(w.limit[1]))
				default:
					q := w.queues[w.rnd.IntN(2)]
					if err := q.SetAttrs(bg, cmwq.Affinity(scopes[w.rnd.IntN(len(scopes))], false)); err != nil {
						require.Equal(t, "free", q.Name(), "seed %d: %v", seed, err) // per-CPU
					}
				}
				w.settle()
			}
			for l := w.free(); len(l) > 0; l = w.free() {
				w.end(l[0])
				w.settle()
			}
			require.Empty(t, w.runs, "seed %d: somebody waits for ever", seed)
			waited, late = waited+w.waited, late+w.late
		}, machine, noGauges(), cmwq.WithHogThreshold(0))
	}
	require.Positive(t, waited)
	if len(seeds) > 40 { // one seed in ten has any
		require.Positive(t, late)
	}
}
