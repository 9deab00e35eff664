package cmwq_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// soon ends in a virtual second.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(bg, time.Second)
	t.Cleanup(cancel)
	return ctx
}

// logs gives work that writes its number down, after d.
func logs(r *record, i int, d time.Duration) *cmwq.Work {
	return cmwq.NewWork(func(ctx *cmwq.Context) error {
		if d > 0 {
			ctx.Block(func() { time.Sleep(d) })
		}
		r.add(i)
		return nil
	})
}

// Row 96: what is active goes on, on the worklist too; what comes, or is beyond
// max_active, waits; thaw releases in order.
func TestFreezeLetsActiveItemsEndAndThawReleasesInOrder(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				limit := 3 // active: one that runs, and two on the worklist of a pool of width 1
				if name == "ordered" {
					limit = 1
				}
				q := queue(t, sys, "q", kind, cmwq.Freezable(), cmwq.MaxActive(limit))
				other := queue(t, sys, "other")
				open := make(chan struct{})
				var ran record
				for i := range limit {
					require.NoError(t, q.Go(func(*cmwq.Context) error { <-open; ran.add(i); return nil }))
					synctest.Wait()
				}
				for i := limit; i < 8; i++ {
					require.NoError(t, q.Queue(logs(&ran, i, 0)))
				}
				frozen := make(chan error, 1)
				go func() { frozen <- sys.Freeze(bg) }()
				synctest.Wait()
				require.Empty(t, frozen, "busy")
				require.True(t, sys.Frozen())
				close(open)
				require.NoError(t, <-frozen)
				want := []int{0, 1, 2}[:limit]
				require.ElementsMatch(t, want, ran.get())
				for i := 8; i < 12; i++ {
					require.NoError(t, q.Queue(logs(&ran, i, 0)))
				}
				require.NoError(t, other.Queue(logs(&ran, 100, 0)), "others go on")
				require.NoError(t, other.Flush(bg))
				time.Sleep(time.Second)
				require.Len(t, ran.get(), limit+1, "nothing of it starts in the frost")
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Active)
				require.Equal(t, 12-limit, st.Inactive)
				sys.Thaw()
				require.False(t, sys.Frozen())
				require.NoError(t, q.Flush(bg))
				require.Len(t, ran.get(), 13)
				if limit == 1 || name != "unbound" {
					got := ran.get()[limit+1:]
					for i := range got {
						require.Equal(t, limit+i, got[i])
					}
				}
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}

// The rest of a lease holds no slot: it is taken back, and waits.
func TestFreezeTakesBackWhatRides(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1), cmwq.Freezable())
		teach(t, q)
		var ran record
		entered, open := make(chan struct{}), make(chan struct{})
		first := cmwq.NewWork(func(*cmwq.Context) error { close(entered); <-open; return nil })
		behind(t, q, first, logs(&ran, 1, 0), logs(&ran, 2, 0), logs(&ran, 3, 0))
		<-entered
		frozen := make(chan error, 1)
		go func() { frozen <- sys.Freeze(bg) }()
		synctest.Wait()
		close(open)
		require.NoError(t, <-frozen)
		synctest.Wait()
		require.Empty(t, ran.get())
		sys.Thaw()
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1, 2, 3}, ran.get())
	}, cmwq.WithHogThreshold(0), noGauges())
}

func TestAQueueMadeInTheFrostBeginsFrozen(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		require.NoError(t, sys.Freeze(bg))
		q, plain := queue(t, sys, "q", cmwq.Freezable()), queue(t, sys, "plain")
		var ran record
		require.NoError(t, q.Queue(logs(&ran, 1, 0)))
		require.NoError(t, plain.Queue(logs(&ran, 2, 0)))
		require.NoError(t, plain.Flush(bg))
		require.Error(t, q.Flush(soon(t)), "a flush waits for the thaw")
		require.Equal(t, []int{2}, ran.get())
		require.NoError(t, sys.Freeze(bg), "it is still: nothing of it is active")
		sys.Thaw()
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{2, 1}, ran.get())
	}, noGauges())
}

// Freeze and Thaw again and again, in any order, on several pools with a limit for
// all of them: each freeze comes to rest, and no item is lost.
func TestFreezeOnSeveralPods(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	for _, limit := range []int{1, 3, 0} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Freezable(), cmwq.MaxActive(limit))
				var m meter
				queued := int32(0)
				for range short.AtLeast(4, 20) {
					for i := range 16 {
						require.NoError(t, q.QueueOn(i%cpus, m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })))
						queued++
					}
					time.Sleep(500 * time.Microsecond)
					require.NoError(t, sys.Freeze(bg))
					require.Zero(t, m.in.Load(), "nothing runs")
					done := m.done.Load()
					time.Sleep(10 * time.Millisecond)
					require.Equal(t, done, m.done.Load(), "nothing starts")
					sys.Thaw()
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

func TestFreezeTwiceAndThawOfWhatIsNotFrozen(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		sys.Thaw()
		q := queue(t, sys, "q", cmwq.Freezable())
		require.NoError(t, sys.Freeze(bg))
		require.NoError(t, sys.Freeze(bg))
		sys.Thaw()
		sys.Thaw()
		var ran atomic.Bool
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		require.ErrorIs(t, sys.Freeze(soon(t)), context.DeadlineExceeded)
		require.True(t, sys.Frozen(), "it stays as it is")
		require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Store(true); return nil }))
		freezes := make(chan error, 2)
		for range 2 {
			go func() { freezes <- sys.Freeze(bg) }()
		}
		synctest.Wait()
		require.False(t, ran.Load())
		sys.Thaw()
		require.ErrorIs(t, <-freezes, cmwq.ErrThawed)
		require.ErrorIs(t, <-freezes, cmwq.ErrThawed)
		synctest.Wait()
		require.True(t, ran.Load())
		g.open <- struct{}{}
	})
}
