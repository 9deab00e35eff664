package cmwq_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// teach makes a queue's items known to be short, so that its leases hold many.
func teach(t *testing.T, q *cmwq.Queue) {
	t.Helper()
	for range 3 {
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
	}
	require.NoError(t, q.Flush(bg))
}

// behind queues items behind a gate that holds the only slot; then they are
// leased together.
func behind(t *testing.T, q *cmwq.Queue, items ...*cmwq.Work) {
	t.Helper()
	g := newGate()
	require.NoError(t, q.Queue(g.Work))
	<-g.entered
	for _, w := range items {
		require.NoError(t, q.Queue(w))
	}
	g.open <- struct{}{}
}

// Trap: an item's panic or Goexit unwinds the worker in the middle of a lease;
// protoactor would never run an actor again that called Goexit.
func TestALeaseSurvivesWhatUnwindsIt(t *testing.T) {
	for name, unwind := range map[string]func(*cmwq.Context){
		"panic":         func(*cmwq.Context) { panic("of the test") },
		"goexit":        func(*cmwq.Context) { runtime.Goexit() },
		"block panic":   func(ctx *cmwq.Context) { ctx.Block(func() { panic("of the test") }) },
		"block goexit":  func(ctx *cmwq.Context) { ctx.Block(runtime.Goexit) },
		"after a sleep": func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond); runtime.Goexit() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.MaxActive(1))
				teach(t, q)
				var ran record
				items := make([]*cmwq.Work, 20)
				for i := range items {
					items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
						ran.add(i)
						if i%7 == 3 {
							unwind(ctx)
						}
						return nil
					})
				}
				behind(t, q, items...)
				require.NoError(t, q.Flush(bg))
				for i, v := range ran.get() {
					require.Equal(t, i, v)
				}
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.EqualValues(t, 24, st.Total)
				require.EqualValues(t, 3, st.Failed)
				require.Zero(t, st.Active+st.Inactive)
				for _, w := range items {
					require.Equal(t, cmwq.Busy{}, w.Busy())
				}
			})
		})
	}
}

// Warning 2: the one node of a worker's notes may still be listed when it sleeps
// again; pushed twice it would close the list to a ring.
func TestShortSleepsInARow(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	var n atomic.Int64
	items := short.AtLeast(20, 200)
	for range items {
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			for range 20 {
				_ = ctx.Sleep(time.Nanosecond)
				ctx.Block(func() {})
				n.Add(1)
			}
			return nil
		}))
	}
	require.NoError(t, q.Flush(bg))
	require.EqualValues(t, 20*items, n.Load())
}

// Warning 5: reports of leases arrive while other turns run; one that is lost
// leaves its slot taken for ever.
func TestDonesThatCollideFreeEverySlot(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			sys := start(t)
			q := queue(t, sys, "q", kind)
			rounds := short.Rounds(300)
			for range rounds {
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						for range 5 {
							_ = q.Go(func(*cmwq.Context) error { runtime.Gosched(); return nil })
						}
					})
				}
				wg.Wait()
				require.NoError(t, q.Flush(bg))
			}
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.EqualValues(t, 15*rounds, st.Total)
			require.Zero(t, st.Active+st.Inactive)
		})
	}
}

// A failing item that queues itself again: each execution is one failure, and it
// never runs beside itself.
func TestAFailingItemThatRequeuesItself(t *testing.T) {
	const runs = 300
	var failed atomic.Int32
	sys := start(t, silent(), cmwq.WithOnFailure(func(string, error) { failed.Add(1) }))
	q := queue(t, sys, "q")
	var n, in atomic.Int32
	var w *cmwq.Work
	w = cmwq.NewWork(func(*cmwq.Context) error {
		if in.Add(1) != 1 {
			t.Error("two executions at once")
		}
		defer in.Add(-1)
		if n.Add(1) < runs {
			_ = q.Queue(w)
		}
		switch n.Load() % 3 {
		case 0:
			panic("of the test")
		case 1:
			runtime.Goexit()
		}
		return errors.New("of the test")
	})
	require.NoError(t, q.Queue(w))
	require.NoError(t, q.Drain(bg))
	require.NoError(t, q.Drain(bg)) // its actor reads failures before it answers
	require.EqualValues(t, runs, n.Load())
	require.EqualValues(t, runs, failed.Load())
}

// An item may give itself to a sync.Pool before it returns, for the worker does
// not touch it after the function, but for the state word.
func TestAnItemMayGiveItselfAway(t *testing.T) {
	type job struct {
		cmwq.Work
		n int // guarded by who holds the job
	}
	sys := start(t)
	q := queue(t, sys, "q")
	var jobs sync.Pool
	var ran atomic.Int64
	jobs.New = func() any {
		j := &job{}
		j.Func = func(*cmwq.Context) error {
			j.n++
			ran.Add(1)
			jobs.Put(j)
			return nil
		}
		return j
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 3000 {
				if err := q.Queue(&jobs.Get().(*job).Work); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, q.Flush(bg))
	require.EqualValues(t, 9000, ran.Load())
}

// Goroutines that an item starts may be the first to ask for its context.
func TestContextIsSharedWithGoroutines(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	for range 200 {
		fut := cmwq.Submit(q, func(ctx *cmwq.Context) (bool, error) {
			same := make(chan (<-chan struct{}), 3)
			for range 3 {
				go func() { same <- ctx.Done() }()
			}
			a, b, c := <-same, <-same, <-same
			return a == b && b == c && ctx.Err() == nil, nil
		})
		ok, err := fut.Wait(bg)
		require.NoError(t, err)
		require.True(t, ok)
	}
}
