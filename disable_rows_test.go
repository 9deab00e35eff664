package cmwq_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Row 86: in the kernel an enable too many takes a pending item off its queue. Here
// it is an error, and takes nothing.
func TestUnbalancedEnableStealsNothing(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w, runs := sleeper(time.Millisecond)
		require.NoError(t, q.QueueAfter(time.Second, w))
		left, err := w.Enable()
		require.ErrorIs(t, err, cmwq.ErrEnabled)
		require.Zero(t, left)
		require.Equal(t, cmwq.Busy{Pending: true}, w.Busy())
		require.NoError(t, w.Flush(bg))
		require.EqualValues(t, 1, runs.Load())
	})
}

// Row 87: a disable outlives executions and cancels; making the item anew ends it.
func TestDisableSurvivesExecutionAndInitClearsIt(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		disabled := make(chan error, 1)
		go func() { _, err := g.Disable(bg); disabled <- err }()
		synctest.Wait()
		require.ErrorIs(t, g.Init(g.Func), cmwq.ErrBusy, "it runs")
		g.open <- struct{}{}
		require.NoError(t, <-disabled)
		require.Equal(t, cmwq.Busy{Disabled: true}, g.Busy())
		for range 3 {
			_, err := g.Disable(bg)
			require.NoError(t, err)
		}
		require.ErrorIs(t, q.Queue(g.Work), cmwq.ErrDisabled)
		var ran atomic.Bool
		require.NoError(t, g.Init(func(*cmwq.Context) error { ran.Store(true); return nil }))
		require.Equal(t, cmwq.Busy{}, g.Busy())
		_, err := g.Enable()
		require.ErrorIs(t, err, cmwq.ErrEnabled)
		require.NoError(t, q.QueueAfter(time.Second, g.Work))
		require.ErrorIs(t, g.Init(nil), cmwq.ErrBusy, "it is armed")
		require.NoError(t, g.Flush(bg))
		require.True(t, ran.Load())
	})
}

// Row 88: who cancels gives back what it took, and no more.
func TestCancelWaitLeavesWhatAnotherDisabled(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		ended := make(chan error, 10)
		for i := range 10 {
			go func() {
				var err error
				if i%2 == 0 {
					_, err = g.CancelWait(bg)
				} else {
					_, err = g.Disable(bg)
				}
				ended <- err
			}()
		}
		synctest.Wait()
		g.open <- struct{}{}
		for range 10 {
			require.NoError(t, <-ended)
		}
		for left := 4; left >= 0; left-- {
			require.ErrorIs(t, q.Queue(g.Work), cmwq.ErrDisabled)
			n, err := g.Enable()
			require.NoError(t, err)
			require.Equal(t, left, n)
		}
		require.NoError(t, q.Queue(g.Work))
		g.open <- struct{}{}
	})
}

// Rows 71 and 89: armed work is one item, not a timer with another inside: cancelling
// it takes it off the timer at once, and flushing it queues it at once.
func TestCancelOfAnArmedItemTakesItOffTheTimer(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		w, runs := sleeper(0)
		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.True(t, w.Cancel())
		require.Equal(t, 0, at(), "it does not wait for the timer")
		require.NoError(t, q.QueueAfter(time.Hour, w))
		was, err := w.CancelWait(bg)
		require.NoError(t, err)
		require.True(t, was)
		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 0, at())
		time.Sleep(3 * time.Hour)
		require.EqualValues(t, 1, runs.Load())
	})
}

// R23: two items that arm each other: cancelled one after the other, in either order,
// one is left alive. Disabled, both are dead.
func TestItemsThatArmEachOtherEndWithDisable(t *testing.T) {
	for _, first := range []int{0, 1} {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q")
			var items [2]*cmwq.Work
			var runs atomic.Int32
			for i := range items {
				items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
					runs.Add(1)
					ctx.Block(func() { time.Sleep(time.Millisecond) })
					err := q.QueueAfter(time.Millisecond, items[1-i])
					if errors.Is(err, cmwq.ErrDisabled) || errors.Is(err, cmwq.ErrPending) {
						return nil
					}
					return err
				})
			}
			require.NoError(t, q.Queue(items[0]))
			time.Sleep(4500 * time.Microsecond) // the first runs, the second is not armed yet
			synctest.Wait()
			require.True(t, items[0].Busy().Running)
			for _, w := range []*cmwq.Work{items[first], items[1-first]} {
				_, err := w.CancelWait(bg)
				require.NoError(t, err)
			}
			before := runs.Load()
			time.Sleep(time.Second)
			if first == 1 { // it was armed again by the first, after it was cancelled
				require.Greater(t, runs.Load(), before, "cancelling ends no cycle")
			}
			for _, w := range []*cmwq.Work{items[first], items[1-first]} {
				_, err := w.Disable(bg)
				require.NoError(t, err)
			}
			before = runs.Load()
			time.Sleep(time.Hour)
			require.Equal(t, before, runs.Load())
			for _, w := range items {
				require.Equal(t, cmwq.Busy{Disabled: true}, w.Busy())
			}
		}, noGauges())
	}
}

// R3: a Queue that fails because the item is pending has told it all the same: the
// execution that follows sees what was written before. Lost, it would show as a
// count that the last execution has not seen.
func TestAFailingQueueIsSeenByTheExecution(t *testing.T) {
	sys := start(t, silent())
	for name, kind := range kinds {
		q := queue(t, sys, name, kind)
		for range short.Rounds(200) {
			var added atomic.Int64
			seen := int64(0) // the item's: it never runs beside itself
			w := cmwq.NewWork(func(*cmwq.Context) error { seen = added.Load(); return nil })
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					for range 20 {
						added.Add(1)
						if err := q.Queue(w); err != nil && !errors.Is(err, cmwq.ErrPending) {
							t.Error(err)
						}
					}
				})
			}
			wg.Wait()
			require.NoError(t, w.Flush(bg))
			require.EqualValues(t, 60, seen, "data without an execution: a ghost was pending")
		}
	}
}

// Row 90: what was accepted was executed, cancelled or dropped, though queues end and
// timers fire meanwhile.
func TestStressAccountingWithDestroyAndDrain(t *testing.T) {
	sys := start(t, silent())
	for name, kind := range kinds {
		for round := range 10 {
			q := queue(t, sys, name, kind)
			var ran, accepted, cancelled atomic.Int64
			var items [3][]*cmwq.Work
			var wg sync.WaitGroup
			for p := range items {
				wg.Go(func() {
					for i := range short.Rounds(300) {
						w := cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
						items[p] = append(items[p], w)
						var err error
						switch i % 4 {
						case 0:
							err = q.QueueAfter(time.Duration(i%50)*10*time.Microsecond, w)
						case 1:
							_, err = q.Modify(time.Duration(i%3)*time.Millisecond, w)
						default:
							err = q.Queue(w)
						}
						if err == nil {
							accepted.Add(1)
						}
						if i%5 == p && w.Cancel() {
							cancelled.Add(1)
						}
					}
				})
			}
			if round%2 == 0 {
				require.NoError(t, q.Drain(bg))
			}
			if round%3 > 0 {
				wg.Wait()
			}
			require.NoError(t, q.Destroy(bg))
			wg.Wait()
			waitGone(sys, name)
			for _, l := range items {
				for _, w := range l {
					require.NoError(t, w.Flush(bg)) // one that came last may run after the end
				}
			}
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.Equal(t, accepted.Load(), ran.Load()+cancelled.Load()+st.Dropped)
		}
	}
}
