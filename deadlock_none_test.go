package cmwq_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// A wait inside an item is a declared sleep, whatever it waits for: in a pool of
// width one, what it waits for starts in the same instant.
func TestAWaitInsideAnItemHoldsUpNobody(t *testing.T) {
	for name, wait := range map[string]func(ctx context.Context, q *cmwq.Queue, w *cmwq.Work) error{
		"flush": func(ctx context.Context, _ *cmwq.Queue, w *cmwq.Work) error { return w.Flush(ctx) },
		"queue": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Flush(ctx) },
		"drain": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Drain(ctx) },
		"future": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error {
			_, err := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, nil }).Wait(ctx)
			return err
		},
	} {
		for _, derived := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					p, q := queue(t, sys, "p", cmwq.PerCPU()), queue(t, sys, "q", cmwq.PerCPU())
					at := since()
					w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) })
					err := inItem(t, p, func(ctx *cmwq.Context, _ *cmwq.Work) error {
						if err := q.Queue(w); err != nil {
							return err
						}
						var c context.Context = ctx
						if derived {
							child, cancel := context.WithTimeout(ctx, time.Hour)
							defer cancel()
							c = child
						}
						return wait(c, q, w)
					})
					require.NoError(t, err)
					require.LessOrEqual(t, at(), 10)
					require.NoError(t, p.Flush(bg))
					st, err := p.Stats(bg)
					require.NoError(t, err)
					require.Zero(t, st.CPUTime, "time in the wait is none on the CPU")
				}, cmwq.WithHogThreshold(0), noGauges())
			})
		}
	}
}

// After the wait the worker counts again: the next item of a pool of width one
// waits for it.
func TestAfterAWaitTheItemRunsAgain(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		p, q := queue(t, sys, "p", cmwq.PerCPU()), queue(t, sys, "q", cmwq.PerCPU())
		w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		waited, open := make(chan struct{}), make(chan struct{})
		require.NoError(t, p.Go(func(ctx *cmwq.Context) error {
			_ = q.Queue(w)
			_ = w.Flush(ctx)
			close(waited)
			<-open // says nothing
			return nil
		}))
		<-waited
		var ran atomic.Bool
		require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Store(true); return nil }))
		time.Sleep(time.Second)
		require.False(t, ran.Load())
		close(open)
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithHogThreshold(0), noGauges())
}

// R17, and the kernel's rule that a cancel is exempt: who is waited for by the item
// that it cancels is no deadlock, for the item's wait ends with its context.
func TestCancelWaitOfAnItemThatWaitsForUsIsNone(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var a, b *cmwq.Work
		begin := make(chan struct{})
		result := make(chan error, 2)
		a = cmwq.NewWork(func(ctx *cmwq.Context) error {
			<-begin
			_, err := b.CancelWait(ctx)
			result <- err
			return nil
		})
		b = cmwq.NewWork(func(ctx *cmwq.Context) error {
			err := a.Flush(ctx)
			result <- err
			return nil
		})
		require.NoError(t, q.Queue(a))
		require.NoError(t, q.Queue(b))
		synctest.Wait()
		close(begin)
		require.ErrorIs(t, <-result, cmwq.ErrCancelled)
		require.NoError(t, <-result)
	})
}

// A flush waits for what was queued before it; an item that came later may wait
// for the one that flushes.
func TestAWaitForAFlusherByALaterItemIsNone(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		p, q := queue(t, sys, "p"), queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		errs := make(chan error, 2)
		flusher := cmwq.NewWork(func(ctx *cmwq.Context) error { errs <- q.Flush(ctx); return nil })
		require.NoError(t, p.Queue(flusher))
		synctest.Wait()
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { errs <- flusher.Flush(ctx); return nil }))
		synctest.Wait()
		require.Empty(t, errs)
		g.open <- struct{}{}
		require.NoError(t, <-errs)
		require.NoError(t, <-errs)
	})
}

// A goroutine that an item started may wait with the item's context while the item
// does something else, and several may at once.
func TestGoroutinesOfAnItemMayWait(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error {
			var wg sync.WaitGroup
			errs := make(chan error, 8)
			for i := range 8 {
				wg.Go(func() {
					w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Duration(i) * time.Millisecond) })
					_ = q.Queue(w)
					errs <- w.Flush(ctx)
				})
			}
			wg.Wait()
			for range 8 {
				if err := <-errs; err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, err)
	}, noGauges(), cmwq.WithHogThreshold(0))
}

// Trees of items that wait for their children, on all kinds of queue, beside
// cancels and flushes from outside: no wait is refused, and each ends.
func TestStressWaitsInsideItems(t *testing.T) {
	for name, kind := range kinds {
		if name == "ordered" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			q := queue(t, sys, "q", kind)
			var leaves atomic.Int64
			var node func(depth int) func(ctx *cmwq.Context) (int, error)
			node = func(depth int) func(ctx *cmwq.Context) (int, error) {
				return func(ctx *cmwq.Context) (int, error) {
					if depth == 0 {
						leaves.Add(1)
						return 1, nil
					}
					sum := 0
					futs := []*cmwq.Future[int]{cmwq.Submit(q, node(depth-1)), cmwq.Submit(q, node(depth-1))}
					side := cmwq.NewWork(func(*cmwq.Context) error { return nil })
					if err := q.Queue(side); err != nil {
						return 0, err
					}
					if rand.IntN(2) == 0 {
						if _, err := side.CancelWait(ctx); err != nil {
							return 0, err
						}
					} else if err := side.Flush(ctx); err != nil {
						return 0, err
					}
					for _, f := range futs {
						v, err := f.Wait(ctx)
						if err != nil {
							return 0, err
						}
						sum += v
					}
					return sum, nil
				}
			}
			rounds := short.Rounds(10)
			for range rounds {
				fut := cmwq.Submit(q, node(5))
				ctx, cancel := context.WithTimeout(bg, 30*time.Second)
				v, err := fut.Wait(ctx)
				cancel()
				require.NoError(t, err)
				require.Equal(t, 32, v)
			}
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 32*rounds, leaves.Load())
		})
	}
}

// An item of a lease waits for one before it in the lease, which has queued itself while
// it ran: that need not wait for the lease to end, on its pool or on the next.
func TestAWaitForAnEarlierItemOfTheLeaseIsNone(t *testing.T) {
	machine, _ := pods(t, fourPods)
	for _, move := range []bool{false, true} {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.MaxActive(1), cmwq.Affinity(topology.ScopeSystem, false))
			teach(t, q)
			var runs, again atomic.Int32
			earlier := cmwq.NewWork(nil)
			earlier.Func = func(ctx *cmwq.Context) error {
				if runs.Add(1) > 1 {
					again.Add(1)
					return nil
				}
				if move {
					if err := q.SetAttrs(ctx, cmwq.Affinity(topology.ScopeCPU, false)); err != nil {
						return err
					}
				}
				return q.Queue(earlier)
			}
			begin, got := make(chan struct{}), make(chan error, 1)
			later := cmwq.NewWork(func(ctx *cmwq.Context) error {
				<-begin // it says nothing
				got <- earlier.Flush(ctx)
				return nil
			})
			behind(t, q, earlier, later)
			synctest.Wait()
			require.NoError(t, q.SetMaxActive(2))
			close(begin)
			time.Sleep(time.Millisecond) // a flusher may look again 50 us later
			synctest.Wait()
			require.Len(t, got, 1, "it waits for its own lease")
			require.NoError(t, <-got)
			require.EqualValues(t, 1, again.Load())
			require.NoError(t, q.Flush(bg))
		}, machine, noGauges(), cmwq.WithHogThreshold(0))
	}
}
