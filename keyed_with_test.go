package cmwq_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/short"
)

// keyedRows are functions with keys, of which it is checked that no two of a key run at
// once, and that those of a key run in order.
type keyedRows struct {
	t    *testing.T
	keys []*cmwq.Keyed
	in   []atomic.Int32
	got  []record
	n    []int // queued, of each
}

func newKeyedRows(t *testing.T, q *cmwq.Queue, keys int) *keyedRows {
	t.Helper()
	r := &keyedRows{t: t, in: make([]atomic.Int32, keys), got: make([]record, keys), n: make([]int, keys)}
	for key := range keys {
		r.keys = append(r.keys, q.Keyed(key))
	}
	return r
}

// add queues one for each key.
func (r *keyedRows) add(do func(*cmwq.Context) error) {
	r.t.Helper()
	for key, k := range r.keys {
		n := r.n[key]
		r.n[key]++
		require.NoError(r.t, k.Go(func(ctx *cmwq.Context) error {
			if r.in[key].Add(1) != 1 {
				r.t.Errorf("two of key %d at once", key)
			}
			defer r.in[key].Add(-1)
			r.got[key].add(n)
			return do(ctx)
		}))
	}
}

// ran gives how many have started.
func (r *keyedRows) ran() (sum int) {
	for key := range r.got {
		sum += len(r.got[key].get())
	}
	return sum
}

// complete says that all ran, each key's in order.
func (r *keyedRows) complete() {
	r.t.Helper()
	for key := range r.got {
		got := r.got[key].get()
		require.Len(r.t, got, r.n[key], "key %d", key)
		require.IsIncreasing(r.t, got, "key %d", key)
	}
}

func nap(ctx *cmwq.Context) error { return ctx.Sleep(time.Millisecond) }

// Workers of which two in three cannot be made cost no key its order, nor an item.
func TestKeysWhileWorkersCannotBeMade(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int32
			scarce := func(o *actors.Options) error {
				o.CreateFault = func(what, _ string) error {
					if what == "worker" && tries.Add(1)%3 != 0 {
						return errNoMemory
					}
					return nil
				}
				return nil
			}
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				r := newKeyedRows(t, queue(t, sys, "q", kind), 7)
				for range 20 {
					r.add(nap)
				}
				require.NoError(t, sys.Queue("q").Flush(bg))
				r.complete()
				require.Greater(t, tries.Load(), int32(3), "some failed")
			}, scarce)
		})
	}
}

// A rescuer runs a key's items in order, one at a time; where it is in the middle of
// one when the pool recovers, workers take other keys' items and leave that key to it.
func TestKeysOfARescuedQueue(t *testing.T) {
	starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
		q := queue(t, sys, "reclaim", cmwq.PerCPU(), cmwq.MemReclaim())
		r := newKeyedRows(t, q, 3)
		var rescued atomic.Int32
		note := func(ctx *cmwq.Context) error {
			if ctx.IsRescuer() {
				rescued.Add(1)
			}
			return nil
		}
		for range 10 {
			r.add(note)
		}
		require.NoError(t, q.Flush(bg))
		r.complete()
		require.EqualValues(t, 30, rescued.Load(), "there is no worker")

		hold := newGate()
		require.NoError(t, q.Keyed(0).Queue(hold.Work), "behind it key 0 waits")
		for range 10 {
			r.add(note)
		}
		<-hold.entered
		hunger.on.Store(false)
		time.Sleep(2 * time.Second)
		require.Equal(t, 30+20, r.ran(), "all but those of key 0")
		require.Less(t, rescued.Load(), int32(50), "workers took some")
		hold.open <- struct{}{}
		require.NoError(t, q.Flush(bg))
		r.complete()
		close(sleeper.open)
	})
}

// In the frost no key goes on, whatever it has; after the thaw each does, in order.
func TestKeysOfAFrozenQueue(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.Freezable())
				r := newKeyedRows(t, q, 5)
				first := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
				for range short.AtLeast(2, 8) {
					for range 6 {
						r.add(nap)
					}
					time.Sleep(1500 * time.Microsecond) // in the middle of their second
					require.NoError(t, sys.Freeze(bg))
					still := r.ran()
					require.NoError(t, q.Keyed("new").Queue(first))
					r.add(nap)
					time.Sleep(time.Minute)
					require.Equal(t, still, r.ran())
					require.True(t, first.Cancel(), "what waits for the thaw can be cancelled")
					sys.Thaw()
				}
				require.NoError(t, q.Flush(bg))
				r.complete()
			})
		})
	}
}

// Keys are the shared pools' affair while fixed workers come and go beside them; an
// item that a fixed worker runs does not overlap itself when it is given a key.
func TestKeysBesideFixedWorkers(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				r := newKeyedRows(t, q, 4)
				var plain, twice atomic.Int32
				var m meter
				w := m.work(func(ctx *cmwq.Context) { twice.Add(1); _ = nap(ctx) })
				for round, n := range []int{2, 3, 0, 1, 1, 5, 0} {
					require.NoError(t, q.Fix(n, 4+round))
					require.NoError(t, q.Flush(bg), "of what the last workers had, too")
					require.NoError(t, q.Queue(w), "a fixed worker's, if there are any")
					synctest.Wait()
					require.Equal(t, cmwq.Busy{Running: true}, w.Busy())
					for range 5 {
						r.add(nap)
						require.NoError(t, q.Go(func(ctx *cmwq.Context) error { plain.Add(1); return nap(ctx) }))
					}
					require.NoError(t, q.Keyed("a key of its own").Queue(w), "while it runs")
					r.add(nap)
				}
				require.NoError(t, q.Drain(bg))
				r.complete()
				require.EqualValues(t, 35, plain.Load())
				require.EqualValues(t, 14, twice.Load())
				require.EqualValues(t, 1, m.most.Load(), "never twice at once")
			})
		})
	}
}

// TestKeyedStressWith: what TestKeyedStress says holds while the queue freezes and
// thaws, gets and loses fixed workers, and workers cannot be made.
func TestKeyedStressWith(t *testing.T) {
	for name, meanwhile := range map[string]func(w *keyedWorld, sys *cmwq.System, hunger *famine, i int) error{
		"freeze": func(_ *keyedWorld, sys *cmwq.System, _ *famine, _ int) error {
			defer sys.Thaw()
			return sys.Freeze(bg)
		},
		"fixed workers": func(w *keyedWorld, _ *cmwq.System, _ *famine, i int) error { return w.q.Fix(i%4, 1+7*i%50) },
		"famine": func(w *keyedWorld, _ *cmwq.System, hunger *famine, i int) error {
			hunger.on.Store(i%2 == 0)
			return w.q.SetMaxActive(1 + i%8)
		},
	} {
		t.Run(name, func(t *testing.T) {
			machine, cpus := pods(t, twoPods)
			var hunger famine
			sys := start(t, silent(), machine, hunger.option())
			w := newKeyedWorld(t, sys, 20, cmwq.Freezable(), cmwq.MemReclaim())
			for cpu := range cpus { // a pool with no worker at all would leave all to the rescuer, a call for each
				require.NoError(t, w.q.QueueOn(cpu, cmwq.NewWork(nop)))
			}
			require.NoError(t, w.q.Flush(bg))
			var wg sync.WaitGroup
			for p := range keyedProducers {
				wg.Go(func() { w.produce(p, 800) })
			}
			for i := range short.AtLeast(8, 40) {
				require.NoError(t, meanwhile(w, sys, &hunger, i))
				require.NoError(t, w.q.Flush(bg))
			}
			hunger.on.Store(false)
			wg.Wait()
			require.NoError(t, w.q.Flush(bg))
			require.Equal(t, w.accepted.Load(), w.ran.Load()+w.taken.Load())
		})
	}
}
