package cmwq_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// states brings an item into each state that a cancel or Modify may find. It gives
// the queue and what to do at the end.
var states = map[string]func(t *testing.T, q *cmwq.Queue, w *cmwq.Work){
	"idle":  func(*testing.T, *cmwq.Queue, *cmwq.Work) {},
	"armed": func(t *testing.T, q *cmwq.Queue, w *cmwq.Work) { require.NoError(t, q.QueueAfter(time.Hour, w)) },
	"inactive": func(t *testing.T, q *cmwq.Queue, w *cmwq.Work) {
		require.NoError(t, q.SetMaxActive(1))
		blocker, _ := sleeper(10 * time.Millisecond)
		require.NoError(t, q.Queue(blocker))
		require.NoError(t, q.Queue(w))
	},
	"listed": func(t *testing.T, q *cmwq.Queue, w *cmwq.Work) {
		holds := cmwq.NewWork(func(*cmwq.Context) error { time.Sleep(10 * time.Millisecond); return nil }) // says nothing
		require.NoError(t, q.Queue(holds))
		require.NoError(t, q.Queue(w))
	},
	"running": func(t *testing.T, q *cmwq.Queue, w *cmwq.Work) { require.NoError(t, q.Queue(w)) },
	"both": func(t *testing.T, q *cmwq.Queue, w *cmwq.Work) {
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		require.NoError(t, q.Queue(w))
	},
}

// Rows 78, 79 and 83: what each cancel says and does in each state. Times are of the
// end of the cancel, in virtual milliseconds; an execution takes five.
func TestCancelMatrix(t *testing.T) {
	for state, enter := range states {
		pending := state == "armed" || state == "inactive" || state == "listed" || state == "both"
		running := state == "running" || state == "both"
		for name, cancel := range map[string]func(w *cmwq.Work) (bool, error){
			"cancel":  func(w *cmwq.Work) (bool, error) { return w.Cancel(), nil },
			"wait":    func(w *cmwq.Work) (bool, error) { return w.CancelWait(bg) },
			"disable": func(w *cmwq.Work) (bool, error) { return w.Disable(bg) },
		} {
			t.Run(state+"/"+name, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", cmwq.PerCPU())
					at := since()
					var runs atomic.Int32
					w := cmwq.NewWork(func(ctx *cmwq.Context) error {
						runs.Add(1)
						time.Sleep(5 * time.Millisecond) // does not hear its context
						return nil
					})
					enter(t, q, w)
					synctest.Wait()
					was, err := cancel(w)
					require.NoError(t, err)
					require.Equal(t, pending, was)
					if running && name != "cancel" {
						require.Equal(t, 5, at(), "it waits for the execution")
						require.Equal(t, cmwq.Busy{Disabled: name == "disable"}, w.Busy())
					} else {
						require.Equal(t, 0, at(), "it waits for nothing")
					}
					require.NoError(t, q.Flush(bg))
					time.Sleep(2 * time.Hour)
					require.Equal(t, map[bool]int32{true: 1, false: 0}[running], runs.Load(), "a cancelled run never begins")
					if name == "disable" {
						require.ErrorIs(t, q.Queue(w), cmwq.ErrDisabled)
						return
					}
					require.NoError(t, q.Queue(w), "it may be queued afterwards")
					require.NoError(t, w.Flush(bg))
				}, cmwq.WithHogThreshold(0), noGauges())
			})
		}
	}
}

// Row 84: Modify in each state: whether it was pending, and when it runs next.
func TestModifyMatrix(t *testing.T) {
	for state, enter := range states {
		pending := state == "armed" || state == "inactive" || state == "listed" || state == "both"
		running := state == "running" || state == "both"
		for _, ms := range []int{0, 20} {
			t.Run(state, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", cmwq.PerCPU())
					at := since()
					var began record
					w := cmwq.NewWork(func(ctx *cmwq.Context) error {
						began.add(at())
						return ctx.Sleep(5 * time.Millisecond)
					})
					enter(t, q, w)
					synctest.Wait()
					was, err := q.Modify(time.Duration(ms)*time.Millisecond, w)
					require.NoError(t, err)
					require.Equal(t, pending, was)
					require.Equal(t, 0, at(), "it waits for nothing")
					require.True(t, w.Busy().Pending || ms == 0)
					time.Sleep(2 * time.Hour)
					want := []int{ms}
					switch {
					case running && ms == 0:
						want = []int{0, 5} // one more run, right after
					case running:
						want = []int{0, 20}
					case ms == 0 && (state == "inactive" || state == "listed"):
						want = []int{10} // at the tail of what was before it
					}
					require.Equal(t, want, began.get(), "one firing, at the new time")
				}, cmwq.WithHogThreshold(0), noGauges())
			})
		}
	}
}

// Row 82: what is refused during a CancelWait is refused for good.
func TestQueueDuringCancelWaitIsRefusedAndNotReplayed(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		ended := make(chan error, 1)
		go func() { _, err := g.CancelWait(bg); ended <- err }()
		synctest.Wait()
		require.ErrorIs(t, q.Queue(g.Work), cmwq.ErrDisabled)
		require.ErrorIs(t, q.QueueAfter(time.Millisecond, g.Work), cmwq.ErrDisabled)
		_, err := q.Modify(0, g.Work)
		require.ErrorIs(t, err, cmwq.ErrDisabled)
		require.Equal(t, cmwq.Busy{Running: true, Disabled: true}, g.Busy())
		g.open <- struct{}{}
		require.NoError(t, <-ended)
		time.Sleep(time.Hour)
		require.Equal(t, cmwq.Busy{}, g.Busy())
		require.Empty(t, g.entered, "it has not run again")
	})
}

// Row 81 and R4: cancels that wait for one execution at once all return, on one CPU
// too; and a counted disable does not let one starve another.
func TestConcurrentCancelWaitTenThousandTimes(t *testing.T) {
	for _, procs := range []int{1, 2} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		sys := start(t, silent())
		q := queue(t, sys, "q")
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { runtime.Gosched(); return nil })
		begin, ended := make(chan struct{}), make(chan error)
		for range 2 {
			go func() {
				for range begin {
					_, err := w.CancelWait(bg)
					ended <- err
				}
			}()
		}
		for range short.Rounds(5000) {
			require.NoError(t, q.Queue(w), "nobody has left it disabled")
			begin <- struct{}{}
			begin <- struct{}{}
			for range 2 {
				require.NoError(t, <-ended)
			}
		}
		close(begin)
		require.Equal(t, cmwq.Busy{}, w.Busy())
	}
}

// R26: who cancels under a lock that the item takes waits for ever; its context is
// what ends that. The graph of waits sees no locks.
func TestCancelWaitUnderALockTheItemTakesEndsWithItsContext(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		lock := make(chan struct{}, 1) // a mutex would not be a durable block of a bubble
		lock <- struct{}{}
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			ctx.Block(func() { lock <- struct{}{} })
			<-lock
			return nil
		})
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		_, err := w.CancelWait(soon(t))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		<-lock
		_, err = w.CancelWait(bg)
		require.NoError(t, err)
	})
}

// R24: after a CancelWait, and only then, nothing of the item runs: what it used may
// be freed. The race detector watches.
func TestAfterACancelWaitTheItemMayBeFreed(t *testing.T) {
	sys := start(t, silent())
	for name, kind := range kinds {
		q := queue(t, sys, name, kind)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for i := range 300 {
					owned := 0
					w := cmwq.NewWork(func(*cmwq.Context) error { owned++; return nil })
					if i%3 == 0 {
						_ = q.QueueAfter(time.Duration(i)*time.Microsecond, w)
					} else {
						_ = q.Queue(w)
					}
					if i%2 == 0 {
						runtime.Gosched()
					}
					if _, err := w.CancelWait(bg); err != nil {
						t.Error(err)
					}
					owned = -1 // ours alone again
					w.Func = nil
				}
			})
		}
		wg.Wait()
	}
}
