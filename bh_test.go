package cmwq_test

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// withBH are all kinds of queue; items of the last one may not sleep.
func withBH() map[string]cmwq.QueueOption {
	all := maps.Clone(kinds)
	all["bh"] = cmwq.BH()
	return all
}

// latch is an item that holds its runner, undeclared, until it is let go: what a
// BH item must not do.
func latch() (w *cmwq.Work, entered, open chan struct{}) {
	entered, open = make(chan struct{}, 100), make(chan struct{}, 100)
	w = cmwq.NewWork(func(*cmwq.Context) error {
		entered <- struct{}{}
		<-open
		return nil
	})
	return w, entered, open
}

// goroutine is the number of the caller's goroutine.
func goroutine() int {
	b := make([]byte, 64)
	n, _ := strconv.Atoi(strings.Fields(string(b[:runtime.Stack(b, false)]))[1])
	return n
}

func TestBHRunsInOrderOneAtATime(t *testing.T) {
	sys := start(t)
	a, b := queue(t, sys, "a", cmwq.BH()), queue(t, sys, "b", cmwq.BH())
	var in atomic.Int32
	var got []int // written by one item at a time
	items := short.Rounds(20000)
	for i := range items {
		q := a
		if i%3 == 0 {
			q = b // queues of a CPU share its runner
		}
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(func(*cmwq.Context) error {
			if in.Add(1) != 1 {
				t.Error("two at once")
			}
			got = append(got, i)
			in.Add(-1)
			return nil
		})))
	}
	require.NoError(t, a.Flush(bg))
	require.NoError(t, b.Flush(bg))
	require.Len(t, got, items)
	for i, v := range got {
		require.Equal(t, i, v)
	}
}

// CPUs and priorities have runners of their own, which do not wait for each other.
func TestBHHasARunnerForEachCPUAndPriority(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q, high := queue(t, sys, "q", cmwq.BH()), queue(t, sys, "high", cmwq.BH(), cmwq.HighPri())
		hold, entered, open := latch()
		require.NoError(t, q.QueueOn(0, hold))
		<-entered
		behind := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, q.QueueOn(0, behind))
		names := make(chan string, 2)
		tell := func(ctx *cmwq.Context) error { names <- ctx.Worker(); return nil }
		require.NoError(t, q.QueueOn(1, cmwq.NewWork(tell)))
		require.Equal(t, "bh/1", <-names)
		require.NoError(t, high.QueueOn(0, cmwq.NewWork(tell)))
		require.Equal(t, "bh/0H", <-names)
		require.True(t, behind.Busy().Pending)
		open <- struct{}{}
		require.NoError(t, q.Flush(bg))
	})
}

// The queuer may hold a lock that the item takes: it never runs the item itself.
func TestBHNeverRunsOnTheQueuersGoroutine(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q", cmwq.BH())
	var mu sync.Mutex
	for range 2000 {
		mu.Lock()
		require.NoError(t, q.Go(func(*cmwq.Context) error {
			mu.Lock()
			defer mu.Unlock()
			return nil
		}))
		mu.Unlock()
	}
	require.NoError(t, q.Flush(bg))
}

// After two milliseconds, or ten leases, the runner goes on on another goroutine.
func TestBHGivesWayWhenItsBudgetIsSpent(t *testing.T) {
	for name, tt := range map[string]struct {
		each time.Duration
		want int // items on one goroutine
	}{"time": {time.Millisecond, 2}, "rounds": {190 * time.Microsecond, 10}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.BH())
				var on []int
				for range 30 {
					require.NoError(t, q.Go(func(*cmwq.Context) error {
						on = append(on, goroutine())
						time.Sleep(tt.each) // in place of work
						return nil
					}))
				}
				require.NoError(t, q.Flush(bg))
				for i := 1; i < len(on); i++ {
					require.Equal(t, i%tt.want != 0, on[i] == on[i-1], "item %d", i)
				}
			})
		})
	}
}

// Whoever waits would hold up every BH item of the CPU: an error where the call has
// one, a panic where it has none.
func TestBHMayNotSleep(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, other := queue(t, sys, "q", cmwq.BH()), queue(t, sys, "other")
		never := cmwq.Submit(other, func(ctx *cmwq.Context) (int, error) { return 1, ctx.Sleep(time.Hour) })
		defer func() { _, _ = never.Wait(bg) }()
		w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		full := make(chan int, 1)
		calls := map[string]func(ctx *cmwq.Context) error{
			"Sleep":  func(ctx *cmwq.Context) error { return ctx.Sleep(time.Millisecond) },
			"Block":  func(ctx *cmwq.Context) error { ctx.Block(func() { t.Error("called") }); return nil },
			"Await":  func(ctx *cmwq.Context) error { _, err := cmwq.Await(ctx, make(chan int)); return err },
			"Future": func(ctx *cmwq.Context) error { _, err := never.Wait(ctx); return err },
			"a derived context": func(ctx *cmwq.Context) error {
				child, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				_, err := never.Wait(child)
				return err
			},
			"Flush":      func(ctx *cmwq.Context) error { return other.Flush(ctx) },
			"Drain":      func(ctx *cmwq.Context) error { return other.Drain(ctx) },
			"Destroy":    func(ctx *cmwq.Context) error { return other.Destroy(ctx) },
			"Work.Flush": func(ctx *cmwq.Context) error { return w.Flush(ctx) },
			"CancelWait": func(ctx *cmwq.Context) error { _, err := w.CancelWait(ctx); return err },
			"Disable":    func(ctx *cmwq.Context) error { _, err := w.Disable(ctx); return err },
		}
		begun := time.Now()
		for name, call := range calls {
			_, err := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 0, call(ctx) }).Wait(bg)
			require.ErrorIs(t, err, cmwq.ErrAtomic, name)
		}
		require.NoError(t, other.Queue(w), "nothing has happened to what they were called for")
		full <- 1
		n, err := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return cmwq.Await(ctx, full) }).Wait(bg)
		require.NoError(t, err, "what is there need not be waited for")
		require.Equal(t, 1, n)
		require.Zero(t, time.Since(begun))
	})
}

// The list behind an item that panics or calls Goexit is not lost.
func TestBHSurvivesItsItems(t *testing.T) {
	var failed atomic.Int32
	sys := start(t, cmwq.WithOnFailure(func(string, error) { failed.Add(1) }))
	q := queue(t, sys, "q", cmwq.BH())
	var ran atomic.Int32
	for i := range 3000 {
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(func(*cmwq.Context) error {
			ran.Add(1)
			switch i % 10 {
			case 3:
				panic("of the test")
			case 5:
				runtime.Goexit()
			case 7:
				return errors.New("of the test")
			}
			return nil
		})))
	}
	require.NoError(t, q.Flush(bg))
	require.EqualValues(t, 3000, ran.Load())
	st, err := q.Stats(bg)
	require.NoError(t, err)
	require.EqualValues(t, 3000, st.Total)
	require.EqualValues(t, 900, st.Failed)
	require.Zero(t, st.InFlight+int64(st.Active)+int64(st.Inactive)+int64(st.MaxActive))
}
