package cmwq_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// What is active goes on, on the worklist too; what comes, or is beyond max_active, waits;
// Resume releases in order. Queues beside it go on.
func TestPauseLetsActiveItemsEndAndResumeReleasesInOrder(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				limit := 3
				if name == "ordered" {
					limit = 1
				}
				q := queue(t, sys, "q", kind, cmwq.MaxActive(limit))
				other := queue(t, sys, "other", kind)
				open := make(chan struct{})
				var ran record
				for i := range limit {
					require.NoError(t, q.Go(func(*cmwq.Context) error { <-open; ran.add(i); return nil }))
					synctest.Wait()
				}
				for i := limit; i < 8; i++ {
					require.NoError(t, q.Queue(logs(&ran, i, 0)))
				}
				paused := make(chan error, 1)
				go func() { paused <- q.Pause(bg) }()
				synctest.Wait()
				require.Empty(t, paused, "busy")
				require.True(t, q.Paused())
				require.False(t, other.Paused())
				close(open)
				require.NoError(t, <-paused)
				require.ElementsMatch(t, []int{0, 1, 2}[:limit], ran.get())
				for i := 8; i < 12; i++ {
					require.NoError(t, q.Queue(logs(&ran, i, 0)))
				}
				require.NoError(t, other.Queue(logs(&ran, 100, 0)))
				require.NoError(t, other.Flush(bg))
				time.Sleep(time.Second)
				require.Len(t, ran.get(), limit+1, "nothing of it starts")
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Active)
				require.Equal(t, 12-limit, st.Inactive)
				snap, err := sys.Snapshot(bg)
				require.NoError(t, err)
				require.Contains(t, snap.Queues[1].Flags, "paused")
				require.NoError(t, q.Resume())
				require.False(t, q.Paused())
				require.NoError(t, q.Flush(bg))
				require.Len(t, ran.get(), 13)
				if limit == 1 || name != "unbound" {
					require.True(t, slices.IsSorted(ran.get()[limit+1:]))
				}
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}

// The rest of a lease holds no slot: it is taken back, and waits. So is what rides on a
// BH pool, and at fixed workers.
func TestPauseOfEveryKindOfShare(t *testing.T) {
	for name, fill := range map[string]func(t *testing.T, sys *cmwq.System, hold *cmwq.Work, rest ...*cmwq.Work) *cmwq.Queue{
		"a lease": func(t *testing.T, sys *cmwq.System, hold *cmwq.Work, rest ...*cmwq.Work) *cmwq.Queue {
			q := queue(t, sys, "q", cmwq.MaxActive(1))
			teach(t, q)
			behind(t, q, append([]*cmwq.Work{hold}, rest...)...)
			return q
		},
		"BH": func(t *testing.T, sys *cmwq.System, hold *cmwq.Work, rest ...*cmwq.Work) *cmwq.Queue {
			q := queue(t, sys, "q", cmwq.BH())
			for _, w := range append([]*cmwq.Work{hold}, rest...) {
				require.NoError(t, q.QueueOn(0, w))
			}
			return q
		},
		"fixed workers": func(t *testing.T, sys *cmwq.System, hold *cmwq.Work, rest ...*cmwq.Work) *cmwq.Queue {
			q := queue(t, sys, "q")
			require.NoError(t, q.Fix(1, 10))
			for _, w := range append([]*cmwq.Work{hold}, rest...) {
				require.NoError(t, q.Queue(w))
			}
			return q
		},
		"a key": func(t *testing.T, sys *cmwq.System, hold *cmwq.Work, rest ...*cmwq.Work) *cmwq.Queue {
			q := queue(t, sys, "q")
			for _, w := range append([]*cmwq.Work{hold}, rest...) {
				require.NoError(t, q.Keyed("k").Queue(w))
			}
			return q
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				var ran record
				entered, open := make(chan struct{}), make(chan struct{})
				hold := cmwq.NewWork(func(*cmwq.Context) error { close(entered); <-open; ran.add(0); return nil })
				q := fill(t, sys, hold, logs(&ran, 1, 0), logs(&ran, 2, 0), logs(&ran, 3, 0))
				<-entered
				paused := make(chan error, 1)
				go func() { paused <- q.Pause(bg) }()
				synctest.Wait()
				close(open)
				require.NoError(t, <-paused)
				time.Sleep(time.Second)
				active := ran.get()
				for _, i := range []int{4, 5} {
					switch w := logs(&ran, i, 0); name {
					case "a key":
						require.NoError(t, q.Keyed("k").Queue(w))
					case "BH":
						require.NoError(t, q.QueueOn(0, w))
					default:
						require.NoError(t, q.Queue(w))
					}
				}
				time.Sleep(time.Second)
				require.Equal(t, active, ran.get(), "nothing starts")
				if name == "a lease" || name == "a key" {
					require.Equal(t, []int{0}, active)
				}
				require.NoError(t, q.Resume())
				require.NoError(t, q.Flush(bg))
				require.Equal(t, []int{0, 1, 2, 3, 4, 5}, ran.get())
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}

// A pause is of the queue, whichever pools serve it now; and it comes to rest each time.
func TestPauseOnSeveralPodsAndOthers(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	for _, limit := range []int{1, 3, 0} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Unbound(), cmwq.MaxActive(limit))
				var m meter
				queued := int32(0)
				for round := range short.AtLeast(4, 20) {
					for i := range 16 {
						require.NoError(t, q.QueueOn(i%cpus, m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })))
						queued++
					}
					time.Sleep(500 * time.Microsecond)
					require.NoError(t, q.Pause(bg))
					require.Zero(t, m.in.Load(), "nothing runs")
					done := m.done.Load()
					if round%3 == 0 {
						require.NoError(t, q.SetAttrs(bg, cmwq.Nice(round%20)))
						require.NoError(t, q.SetMaxActive(limit))
					}
					for i := range 4 {
						require.NoError(t, q.QueueOn(i%cpus, m.work(func(*cmwq.Context) {})))
						queued++
					}
					time.Sleep(10 * time.Millisecond)
					require.Equal(t, done, m.done.Load(), "nothing starts")
					require.NoError(t, q.Resume())
				}
				require.NoError(t, q.Flush(bg))
				require.Equal(t, queued, m.done.Load())
				if limit > 0 {
					require.EqualValues(t, limit, m.most.Load())
				}
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// A queue that is paused and frozen goes on after both.
func TestPauseAndFreeze(t *testing.T) {
	for _, thawFirst := range []bool{true, false} {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.Freezable())
			require.NoError(t, q.Pause(bg))
			require.NoError(t, sys.Freeze(bg))
			var ran atomic.Int32
			require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Add(1); return nil }))
			one, other := sys.Thaw, func() { require.NoError(t, q.Resume()) }
			if !thawFirst {
				one, other = other, one
			}
			one()
			time.Sleep(time.Second)
			require.Zero(t, ran.Load())
			other()
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 1, ran.Load())
		})
	}
}

func TestPauseTwiceAndResumeOfWhatIsNotPaused(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Resume())
		require.NoError(t, q.Pause(bg))
		require.NoError(t, q.Pause(bg))
		require.NoError(t, q.Resume())
		require.NoError(t, q.Resume())
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		require.ErrorIs(t, q.Pause(soon(t)), context.DeadlineExceeded)
		require.True(t, q.Paused(), "it stays as it is")
		var ran atomic.Bool
		require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Store(true); return nil }))
		pauses := make(chan error, 2)
		for range 2 {
			go func() { pauses <- q.Pause(bg) }()
		}
		synctest.Wait()
		require.False(t, ran.Load())
		require.NoError(t, q.Resume())
		require.ErrorIs(t, <-pauses, cmwq.ErrResumed)
		require.ErrorIs(t, <-pauses, cmwq.ErrResumed)
		synctest.Wait()
		require.True(t, ran.Load())
		g.open <- struct{}{}
	})
}
