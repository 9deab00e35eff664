package cmwq_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
)

// The columns of the kernel's wq_monitor, with exactly its meanings.
func TestMonitorColumns(t *testing.T) {
	stats := func(t *testing.T, q *cmwq.Queue) cmwq.Stats {
		st, err := q.Stats(bg)
		require.NoError(t, err)
		return st
	}
	on := func(t *testing.T, f func(t *testing.T, sys *cmwq.System), opts ...cmwq.Option) {
		bubble(t, 1, f, append(opts, noGauges())...)
	}

	// total: items whose execution started, not those that are queued; infl: of
	// them, those that have not ended.
	t.Run("total and infl", func(t *testing.T) {
		for name, kind := range withBH() {
			on(t, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				require.Equal(t, [2]int64{}, [2]int64{stats(t, q).Total, stats(t, q).InFlight})
				if name == "unbound" {
					return // every item is executed at once
				}
				hold, entered, open := latch()
				require.NoError(t, q.Queue(hold))
				<-entered
				for range 5 {
					require.NoError(t, q.Go(anotherItem))
				}
				st := stats(t, q)
				require.EqualValues(t, 1, st.Total, "%s: queued items have not started", name)
				require.EqualValues(t, 1, st.InFlight, "%s: and are not in flight", name)
				open <- struct{}{}
				require.NoError(t, q.Flush(bg))
				st = stats(t, q)
				require.EqualValues(t, 6, st.Total, name)
				require.EqualValues(t, 0, st.InFlight, name)
			}, cmwq.WithHogThreshold(0))
		}
	})

	// A lease of many is one execution at a time.
	t.Run("infl of a lease", func(t *testing.T) {
		on(t, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.Ordered())
			for range 3 {
				require.NoError(t, q.Go(anotherItem)) // known to be short from now on
				require.NoError(t, q.Flush(bg))
			}
			first, firstIn, firstOpen := latch()
			hold, entered, open := latch()
			require.NoError(t, q.Queue(first))
			<-firstIn
			require.NoError(t, q.Go(anotherItem))
			require.NoError(t, q.Go(anotherItem))
			require.NoError(t, q.Queue(hold))
			require.NoError(t, q.Go(anotherItem))
			firstOpen <- struct{}{}
			<-entered
			st := stats(t, q)
			require.EqualValues(t, 1, st.InFlight)
			require.EqualValues(t, 7, st.Total, "four before, and two of this lease before the one that runs")
			open <- struct{}{}
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 8, stats(t, q).Total)
		}, cmwq.WithHogThreshold(0))
	})

	// CPUtime: time on items; a declared sleep is none.
	t.Run("CPUtime", func(t *testing.T) {
		on(t, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.PerCPU())
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				time.Sleep(3 * time.Millisecond) // in place of work
				return ctx.Sleep(50 * time.Millisecond)
			}))
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				ctx.Block(func() { time.Sleep(70 * time.Millisecond) })
				time.Sleep(4 * time.Millisecond)
				return nil
			}))
			require.NoError(t, q.Flush(bg))
			require.Equal(t, 7*time.Millisecond, stats(t, q).CPUTime)
		}, cmwq.WithHogThreshold(0))
	})

	// CPUhog: declarations, of the queue whose item hogs; never of an unbound queue,
	// nor of one that said so before.
	t.Run("CPUhog", func(t *testing.T) {
		for name, tt := range map[string]struct {
			kind cmwq.QueueOption
			want int64
		}{
			"percpu": {cmwq.PerCPU(), 3}, "unbound": {cmwq.Unbound(), 0},
			"ordered": {cmwq.Ordered(), 0}, "bh": {cmwq.BH(), 0}, "intensive": {cmwq.CPUIntensive(), 0},
		} {
			on(t, func(t *testing.T, sys *cmwq.System) {
				q, other := queue(t, sys, "q", tt.kind), queue(t, sys, "other", tt.kind)
				for range 3 {
					require.NoError(t, q.Go(hogItem))
					require.NoError(t, other.Go(anotherItem))
					require.NoError(t, q.Flush(bg))
					require.NoError(t, other.Flush(bg))
				}
				require.Equal(t, tt.want, stats(t, q).CPUHog, name)
				require.Zero(t, stats(t, other).CPUHog, name)
			}, cmwq.WithLogger(new(records).logger()))
		}
	})

	// CMW: wake-ups because a running worker blocked or hogged, credited to the queue
	// that blocked, not to the one that is served; none if nobody waited.
	t.Run("CMW", func(t *testing.T) {
		on(t, func(t *testing.T, sys *cmwq.System) {
			q, served := queue(t, sys, "q", cmwq.PerCPU()), queue(t, sys, "served", cmwq.PerCPU())
			blocks := func(ctx *cmwq.Context) error {
				time.Sleep(time.Millisecond) // in place of work
				return ctx.Sleep(5 * time.Millisecond)
			}
			require.NoError(t, q.Go(blocks))
			require.NoError(t, q.Flush(bg))
			require.Zero(t, stats(t, q).CMWakeup, "nobody waited")
			for range 3 {
				require.NoError(t, q.Go(blocks))
				require.NoError(t, served.Go(anotherItem))
				require.NoError(t, q.Flush(bg))
			}
			require.EqualValues(t, 3, stats(t, q).CMWakeup)
			require.NoError(t, q.Go(hogItem))
			require.NoError(t, served.Go(anotherItem))
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 4, stats(t, q).CMWakeup, "a hog wakes somebody, too")
			require.Zero(t, stats(t, served).CMWakeup)
			unbound := queue(t, sys, "unbound", cmwq.Unbound())
			require.NoError(t, unbound.Go(blocks))
			require.NoError(t, unbound.Go(blocks))
			require.NoError(t, unbound.Flush(bg))
			require.Zero(t, stats(t, unbound).CMWakeup)
		}, cmwq.WithLogger(new(records).logger()),
			func(o *actors.Options) error { o.HogThreshold = 10 * time.Millisecond; return nil })
	})

	// RPR, mayday, rescued: none where nothing is repatriated and nobody is rescued.
	// failed and dropped are this library's.
	t.Run("the rest", func(t *testing.T) {
		on(t, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.PerCPU())
			require.NoError(t, q.Go(func(*cmwq.Context) error { return cmwq.ErrCPU }))
			require.NoError(t, q.Go(func(*cmwq.Context) error { panic("of the test") }))
			require.NoError(t, q.Go(func(*cmwq.Context) error { runtime.Goexit(); return nil }))
			require.NoError(t, q.Go(anotherItem))
			require.NoError(t, q.QueueAfter(time.Hour, cmwq.NewWork(anotherItem)))
			synctest.Wait()
			require.NoError(t, q.Destroy(bg))
			st := stats(t, q)
			require.EqualValues(t, 4, st.Total)
			require.EqualValues(t, 3, st.Failed)
			require.EqualValues(t, 1, st.Dropped, "what was armed")
			require.Zero(t, st.Repatriated+st.Mayday+st.Rescued)
		})
	})
}
