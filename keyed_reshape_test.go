package cmwq_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

var reshapedKinds = map[string]cmwq.QueueOption{"managed": cmwq.MaxActive(0), "unbound": cmwq.Unbound(), "ordered": cmwq.Ordered()}

// scopes gives the queue pods of another size again and again, so that other pools,
// and another number of them, serve it.
var scopes = []topology.Scope{topology.ScopeCPU, topology.ScopeCache, topology.ScopeSystem, topology.ScopeSMT}

// What was queued with a key after the pools changed waits for what was queued
// before, however often they changed; other keys do not wait, nor does who waits for
// them from inside.
func TestAKeyGoesOnInOrderOnOtherPools(t *testing.T) {
	machine, _ := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var got record
		add := func(key string, i int) {
			require.NoError(t, q.Keyed(key).Go(func(*cmwq.Context) error { got.add(i); return nil }))
		}
		g := newGate()
		inner, flushed := cmwq.NewWork(func(*cmwq.Context) error { return nil }), make(chan error, 1)
		require.NoError(t, q.Keyed("a").Go(func(ctx *cmwq.Context) error {
			if err := g.Func(ctx); err != nil {
				return err
			}
			if err := cmwq.CurrentQueue(ctx).Keyed("inner").Queue(inner); err != nil {
				return err
			}
			flushed <- inner.Flush(ctx)
			return nil
		}))
		<-g.entered
		add("a", 1)
		for i := range 8 {
			require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(scopes[i%len(scopes)], false)))
			add("a", 2+i)
			add("b", 100+i)
			synctest.Wait()
			require.Len(t, got.get(), i+1, "key b does not wait, and key a does")
		}
		g.open <- struct{}{}
		require.NoError(t, <-flushed)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, got.get()[8:])
	}, machine, noGauges())
}

// What waits for older items of its key elsewhere can be cancelled, flushed and
// drained, and counts as waiting; an item comes back with its key.
func TestWhatWaitsForItsKeyElsewhere(t *testing.T) {
	machine, _ := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		key, g := q.Keyed("k"), newGate()
		var got record
		require.NoError(t, key.Queue(g.Work))
		<-g.entered
		move := func(i int) {
			require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(scopes[i], false)))
		}
		move(0)
		one := cmwq.NewWork(func(*cmwq.Context) error { got.add(1); return nil })
		two := cmwq.NewWork(func(*cmwq.Context) error { got.add(2); return nil })
		require.NoError(t, key.Queue(one))
		require.True(t, one.Cancel())
		require.NoError(t, key.Queue(two), "its key is anew to the share")
		require.NoError(t, key.Queue(one))
		move(1)
		require.NoError(t, key.Queue(g.Work), "it runs, and is queued behind the others")
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, 3, st.Inactive)
		require.Equal(t, 1, st.Active)
		require.True(t, two.Cancel())
		done := make(chan error, 3)
		go func() { done <- one.Flush(bg) }()
		go func() { done <- q.Flush(bg) }()
		go func() { done <- q.Drain(bg) }()
		synctest.Wait()
		require.Empty(t, done)
		g.open <- struct{}{}
		<-g.entered
		require.NoError(t, <-done)
		require.Equal(t, []int{1}, got.get())
		synctest.Wait()
		require.Empty(t, done, "flush and drain wait for the gate's second time")
		g.open <- struct{}{}
		require.NoError(t, <-done)
		require.NoError(t, <-done)
	}, machine, noGauges())
}

// What an item on pools of before queues with its own key comes behind what others
// queued with it meanwhile.
func TestAnItemOnOldPoolsQueuesItselfWithItsKey(t *testing.T) {
	machine, _ := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		runs := 0
		var got record
		var in atomic.Int32
		one := func(ctx *cmwq.Context, n int) error {
			if in.Add(1) != 1 {
				t.Error("two at once")
			}
			defer in.Add(-1)
			got.add(n)
			return ctx.Sleep(time.Millisecond)
		}
		w := cmwq.NewWork(nil)
		w.Func = func(ctx *cmwq.Context) error {
			n := runs
			if runs++; runs < 20 {
				if err := q.SetAttrs(ctx, cmwq.Affinity(scopes[n%len(scopes)], false)); err != nil {
					return err
				}
				key := cmwq.CurrentQueue(ctx).Keyed("k") // one that a drain lets in
				if err := key.Go(func(ctx *cmwq.Context) error { return one(ctx, 2*n+1) }); err != nil {
					return err
				}
				if err := key.Queue(w); err != nil {
					return err
				}
			}
			return one(ctx, 2*n)
		}
		require.NoError(t, q.Keyed("k").Queue(w))
		require.NoError(t, q.Drain(bg))
		var want []int
		for i := range 39 {
			want = append(want, i)
		}
		require.Equal(t, want, got.get())
	}, machine, noGauges())
}

// TestKeyedStressWhilePoolsChange is TestKeyedStress while the pools change in every
// way, and a CPU goes down and up.
func TestKeyedStressWhilePoolsChange(t *testing.T) {
	for name, kind := range reshapedKinds {
		for _, keys := range []int{1, 20} {
			t.Run(name, func(t *testing.T) {
				opt, cpus := pods(t, fourPods)
				sys := start(t, silent(), opt)
				w := newKeyedWorld(t, sys, keys, kind)
				var wg sync.WaitGroup
				for p := range keyedProducers {
					wg.Go(func() { w.produce(p, 2000) })
				}
				produced := make(chan struct{})
				go func() { wg.Wait(); close(produced) }()
				for changes := 0; ; changes++ {
					w.change(sys, cpus)
					select {
					case <-produced:
						if changes < short.Rounds(50) {
							continue
						}
					default:
						continue
					}
					break
				}
				require.NoError(t, w.q.Flush(bg))
				require.Equal(t, w.accepted.Load(), w.ran.Load()+w.taken.Load())
				st, err := w.q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Active+st.Inactive)
				require.Equal(t, w.ran.Load(), st.Total)
				require.NoError(t, w.q.Destroy(bg))
			})
		}
	}
}

// change gives the queue other pools, or waits for it meanwhile.
func (w *keyedWorld) change(sys *cmwq.System, cpus int) {
	var err error
	switch rand.IntN(8) {
	case 0, 1, 2:
		err = w.q.SetAttrs(bg, cmwq.Affinity(scopes[rand.IntN(len(scopes))], false), cmwq.Nice(rand.IntN(2)))
	case 3:
		err = w.q.SetAttrs(bg, cmwq.CPUs(cpuset.New(rand.IntN(cpus), rand.IntN(cpus))))
	case 4:
		err = sys.SetOnline(bg, cpuset.New(rand.IntN(cpus), rand.IntN(cpus), rand.IntN(cpus)))
	case 5:
		err = sys.SetUnboundMask(bg, cpuset.New(rand.IntN(cpus), rand.IntN(cpus), rand.IntN(cpus)))
	case 6:
		if err = w.q.SetMaxActive(1 + rand.IntN(8)); errors.Is(err, cmwq.ErrOrdered) {
			err = nil
		}
	case 7:
		err = w.q.Flush(bg)
	}
	if err != nil {
		w.t.Error(err)
	}
}
