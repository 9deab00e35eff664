package cmwq_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// sleeper gives work that sleeps, and what its runs were.
func sleeper(d time.Duration) (*cmwq.Work, *atomic.Int32) {
	var runs atomic.Int32
	return cmwq.NewWork(func(ctx *cmwq.Context) error { runs.Add(1); return ctx.Sleep(d) }), &runs
}

// flushing starts a flush of w, and gives when it ended, in virtual milliseconds.
func flushing(t *testing.T, w *cmwq.Work, at func() int) chan int {
	t.Helper()
	ended := make(chan int, 1)
	go func() {
		if err := w.Flush(bg); err != nil {
			t.Error(err)
		}
		ended <- at()
	}()
	synctest.Wait()
	return ended
}

// Row 64: nothing to wait for.
func TestFlushItemThatIsIdleReturnsAtOnce(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		w, runs := sleeper(time.Millisecond)
		require.NoError(t, w.Flush(bg), "never queued")
		require.NoError(t, q.Queue(w))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 1, at(), "it ran")
		require.NoError(t, w.Flush(bg), "it has run")
		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.True(t, w.Cancel())
		require.NoError(t, w.Flush(bg), "cancelled")
		_, err := w.Disable(bg)
		require.NoError(t, err)
		require.NoError(t, w.Flush(bg), "disabled")
		require.Equal(t, 1, at())
		require.EqualValues(t, 1, runs.Load())
		ctx, cancel := context.WithCancel(bg)
		cancel()
		require.NoError(t, w.Flush(ctx), "nor does it look at the context")
	})
}

// Row 66: what is queued after the flush began is not waited for, though it is the
// same item, and runs at once.
func TestFlushItemRequeuedAfterItBegan(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				at := since()
				w, runs := sleeper(10 * time.Millisecond)
				require.NoError(t, q.Queue(w))
				synctest.Wait()
				ended := flushing(t, w, at)
				require.NoError(t, q.Queue(w))
				require.Equal(t, 10, <-ended)
				synctest.Wait()
				require.Equal(t, cmwq.Busy{Running: true}, w.Busy(), "its second run")
				require.NoError(t, w.Flush(bg))
				require.Equal(t, 20, at())
				require.EqualValues(t, 2, runs.Load())
			}, noGauges())
		})
	}
}

// Rows 65 and 67: running and pending, the flush waits for the pending run; so do all
// who flush.
func TestFlushItemThatRunsAndIsPendingByMany(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		w, _ := sleeper(10 * time.Millisecond)
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		early := flushing(t, w, at)
		require.NoError(t, q.Queue(w))
		var late []chan int
		for range 20 {
			late = append(late, flushing(t, w, at))
		}
		require.Equal(t, 10, <-early)
		for _, c := range late {
			require.Equal(t, 20, <-c)
		}
	})
}

// Rows 68 and 69: a flush travels with an inactive item: to the end of its run, or
// to its cancellation; then no slot is taken.
func TestFlushItemThatIsInactive(t *testing.T) {
	for name, kind := range kinds {
		for _, cancel := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", kind, cmwq.MaxActive(1))
					at := since()
					first, _ := sleeper(10 * time.Millisecond)
					before, _ := sleeper(10 * time.Millisecond)
					w, runs := sleeper(10 * time.Millisecond)
					after, _ := sleeper(10 * time.Millisecond)
					for _, x := range []*cmwq.Work{first, before, w, after} {
						require.NoError(t, q.Queue(x))
					}
					ended := []chan int{flushing(t, w, at), flushing(t, w, at)}
					time.Sleep(5 * time.Millisecond)
					if cancel {
						require.True(t, w.Cancel())
					}
					for _, c := range ended {
						require.Equal(t, map[bool]int{true: 5, false: 30}[cancel], <-c)
					}
					require.NoError(t, q.Flush(bg))
					require.Equal(t, map[bool]int{true: 30, false: 40}[cancel], at())
					require.Equal(t, map[bool]int32{true: 0, false: 1}[cancel], runs.Load())
					st, err := q.Stats(bg)
					require.NoError(t, err)
					require.Zero(t, st.Active+st.Inactive)
				}, noGauges())
			})
		}
	}
}

// Row 72: inactive items are waited for, later ones and timers are not.
func TestFlushQueueWaitsForInactiveItems(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		at := since()
		for range 5 {
			w, _ := sleeper(10 * time.Millisecond)
			require.NoError(t, q.Queue(w))
		}
		armed, _ := sleeper(time.Millisecond)
		require.NoError(t, q.QueueAfter(time.Hour, armed))
		ended := make(chan int, 1)
		go func() { _ = q.Flush(bg); ended <- at() }()
		synctest.Wait()
		for range 5 {
			w, _ := sleeper(10 * time.Millisecond)
			require.NoError(t, q.Queue(w))
		}
		require.Equal(t, 50, <-ended)
		require.True(t, armed.Cancel())
	}, noGauges())
}

// Row 73: forty flushes at once, begun by as many goroutines among items that end in
// any order: they complete in the order of their epochs.
func TestFlushQueueByFortyAtOnceCompletesInOrder(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		var ended [40]chan int
		longest := 0
		for i := range ended {
			ms := (i*17)%40 + 1
			w, _ := sleeper(time.Duration(ms) * time.Millisecond)
			require.NoError(t, q.Queue(w))
			ended[i] = make(chan int, 1)
			go func() { _ = q.Flush(bg); ended[i] <- at() }()
			synctest.Wait()
		}
		for i := range ended {
			longest = max(longest, (i*17)%40+1)
			require.Equal(t, longest, <-ended[i], "no later than the longest of its epoch and those before")
		}
	}, noGauges())
	sys := start(t, silent())
	q := queue(t, sys, "q")
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			for range short.AtLeast(4, 20) {
				w, runs := sleeper(10 * time.Microsecond)
				if err := q.Queue(w); err != nil {
					t.Error(err)
				}
				if err := q.Flush(bg); err != nil || runs.Load() != 1 || w.Busy() != (cmwq.Busy{}) {
					t.Error("flushed, and not done", err)
				}
			}
		})
	}
	wg.Wait()
}
