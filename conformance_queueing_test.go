package cmwq_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Row 4.
func TestAnItemIsNotPendingInItsFunction(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				runs := 0 // one execution at a time
				var w *cmwq.Work
				w = cmwq.NewWork(func(*cmwq.Context) error {
					require.Equal(t, cmwq.Busy{Running: true}, w.Busy())
					if runs++; runs < 3 {
						require.NoError(t, q.Queue(w))
						require.ErrorIs(t, q.Queue(w), cmwq.ErrPending)
					}
					return nil
				})
				require.NoError(t, q.Queue(w))
				require.NoError(t, q.Drain(bg))
				require.Equal(t, 3, runs)
			})
		})
	}
}

// Row 7. In the kernel an item that took another function meanwhile runs beside
// itself. Here an item is itself whatever it does: its new function waits.
func TestAnItemWithAnotherFunctionIsTheSameItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var first, second atomic.Bool
		var w *cmwq.Work
		w = cmwq.NewWork(func(ctx *cmwq.Context) error {
			first.Store(true)
			w.Func = func(*cmwq.Context) error {
				require.False(t, first.Load())
				second.Store(true)
				return nil
			}
			require.NoError(t, q.Queue(w))
			defer first.Store(false)
			return ctx.Sleep(time.Second)
		})
		require.NoError(t, q.Queue(w))
		require.NoError(t, q.Drain(bg))
		require.True(t, second.Load())
	})
}

// Row 8: others start meanwhile, on the workers that are idle; those that wait
// when its execution ends come after it.
func TestARequeuedItemIsTakenNextByItsWorker(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		for range 20 {
			var ran record
			var workers []string // one execution at a time
			free, open := make(chan struct{}), make(chan struct{})
			w := cmwq.NewWork(func(ctx *cmwq.Context) error {
				workers = append(workers, ctx.Worker())
				ran.add(1)
				<-free // declares nothing: it keeps its place in the count
				return nil
			})
			require.NoError(t, q.Queue(w))
			synctest.Wait()
			require.NoError(t, q.Queue(w))
			require.NoError(t, q.Go(func(*cmwq.Context) error { ran.add(2); <-open; return nil }))
			require.NoError(t, q.Go(func(*cmwq.Context) error { ran.add(3); return nil }))
			synctest.Wait()
			require.Equal(t, []int{1, 2}, ran.get(), "one does not wait behind it, the other has no CPU")
			close(free)
			require.NoError(t, w.Flush(bg))
			synctest.Wait()
			require.Equal(t, []int{1, 2, 1, 3}, ran.get())
			require.Equal(t, workers[0], workers[1])
			close(open)
			require.NoError(t, q.Flush(bg))
		}
	}, cmwq.WithHogThreshold(0), noGauges())
}

// Row 15: a Queue that is refused because the item is pending publishes what was
// written before it all the same. The pool's only worker is kept busy, and let
// go in a way that the race detector takes for no synchronisation.
func TestWritesBeforeARefusedQueueAreVisible(t *testing.T) {
	sys := start(t, oneCPU(t), cmwq.WithHogThreshold(0), noGauges())
	q := queue(t, sys, "q", cmwq.PerCPU())
	for i := range 200 {
		entered := make(chan struct{})
		free, done := false, false
		require.NoError(t, q.Go(func(*cmwq.Context) error {
			close(entered)
			for !peek(&free) {
				runtime.Gosched()
			}
			return nil
		}))
		<-entered
		var x, got int // guarded by nothing but the Queue that is refused
		w := cmwq.NewWork(func(*cmwq.Context) error { got = x; poke(&done); return nil })
		require.NoError(t, q.Queue(w))
		x = i
		require.ErrorIs(t, q.Queue(w), cmwq.ErrPending)
		poke(&free)
		for !peek(&done) { // a Flush that comes before would publish it, too
			runtime.Gosched()
		}
		require.NoError(t, w.Flush(bg))
		require.Equal(t, i, got)
	}
}

//go:norace
//go:noinline
func peek(p *bool) bool { return *p }

//go:norace
//go:noinline
func poke(p *bool) { *p = true }
