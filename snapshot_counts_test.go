package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// Whatever takes work back before it began counts once as cancelled, and what is armed
// is counted as long as it is.
func TestCancelledAndDelayed(t *testing.T) {
	type world struct {
		sys  *cmwq.System
		q    *cmwq.Queue
		hold *cmwq.Work
	}
	at := func(t *testing.T, w world, cancelled int64, delayed int) {
		t.Helper()
		synctest.Wait()
		st := sameStats(t, w.sys, w.q)
		require.Equal(t, [2]int64{cancelled, int64(delayed)}, [2]int64{st.Cancelled, int64(st.Delayed)})
	}
	for name, f := range map[string]func(t *testing.T, w world){
		"queued": func(t *testing.T, w world) {
			x := cmwq.NewWork(anotherItem)
			require.NoError(t, w.q.Queue(x))
			require.True(t, x.Cancel())
			require.False(t, x.Cancel())
			at(t, w, 1, 0)
		},
		"queued, and disabled": func(t *testing.T, w world) {
			x := cmwq.NewWork(anotherItem)
			require.NoError(t, w.q.Queue(x))
			was, err := x.Disable(bg)
			require.True(t, was && err == nil)
			at(t, w, 1, 0)
		},
		"with a key": func(t *testing.T, w world) {
			x, y := cmwq.NewWork(anotherItem), cmwq.NewWork(anotherItem)
			require.NoError(t, w.q.Keyed("k").Queue(x))
			require.NoError(t, w.q.Keyed("k").Queue(y))
			require.True(t, y.Cancel() && x.Cancel())
			at(t, w, 2, 0)
		},
		"armed": func(t *testing.T, w world) {
			x, y, z := cmwq.NewWork(anotherItem), cmwq.NewWork(anotherItem), cmwq.NewWork(anotherItem)
			require.NoError(t, w.q.QueueAfter(time.Hour, x))
			require.NoError(t, w.q.QueueAfter(time.Hour, y))
			require.NoError(t, w.q.Keyed("k").QueueAfter(time.Second, z))
			at(t, w, 0, 3)
			_, err := w.q.Modify(time.Minute, y)
			require.NoError(t, err)
			at(t, w, 0, 3)
			require.True(t, x.Cancel())
			at(t, w, 1, 2)
			time.Sleep(time.Second)
			at(t, w, 1, 1)
			_, err = w.q.Modify(0, y)
			require.NoError(t, err)
			at(t, w, 1, 0)
		},
		"armed until other work has ended": func(t *testing.T, w world) {
			x, y := cmwq.NewWork(anotherItem), cmwq.NewWork(anotherItem)
			require.NoError(t, w.q.After(w.hold).Queue(x))
			require.NoError(t, w.q.After(w.hold).Queue(y))
			at(t, w, 0, 2)
			require.True(t, x.Cancel())
			at(t, w, 1, 1)
		},
		"a future": func(t *testing.T, w world) {
			x := cmwq.Submit(w.q, func(*cmwq.Context) (int, error) { return 0, nil })
			require.True(t, x.Cancel())
			at(t, w, 1, 0)
		},
		"a group": func(t *testing.T, w world) {
			ctx, cancel := context.WithCancel(bg)
			g := cmwq.NewGroup[int](ctx, w.q)
			g.Go(anotherItem)
			g.Go(anotherItem)
			synctest.Wait()
			cancel()
			at(t, w, 2, 0)
		},
		"its time is up": func(t *testing.T, w world) {
			cmwq.Submit(w.q.With(bg, cmwq.WaitAtMost(time.Second)), func(*cmwq.Context) (int, error) { return 0, nil })
			time.Sleep(2 * time.Second)
			at(t, w, 0, 0)
			st := sameStats(t, w.sys, w.q)
			require.Equal(t, [2]int64{1, 1}, [2]int64{st.Failed, st.WaitedOut})
		},
		"modified, and refused": func(t *testing.T, w world) {
			x := cmwq.NewWork(anotherItem)
			require.NoError(t, w.q.Queue(x))
			other := queue(t, w.sys, "other")
			require.NoError(t, other.Destroy(bg))
			was, err := other.Modify(0, x)
			require.True(t, was)
			require.ErrorIs(t, err, cmwq.ErrDestroyed)
			at(t, w, 1, 0)
		},
		"a series": func(t *testing.T, w world) {
			s, err := w.q.Every(cmwq.Interval(time.Hour), cmwq.NewWork(anotherItem))
			require.NoError(t, err)
			at(t, w, 0, 0)
			s.Stop()
			at(t, w, 0, 0)
		},
		"retried": func(t *testing.T, w world) {
			q := queue(t, w.sys, "again", cmwq.Supervise(supervisor.Retry(5, supervisor.Constant(time.Second))))
			x := cmwq.NewWork(func(*cmwq.Context) error { return cmwq.ErrCPU })
			require.NoError(t, q.Queue(x))
			again := world{w.sys, q, nil}
			at(t, again, 0, 1)
			require.True(t, x.Cancel())
			at(t, again, 1, 0)
		},
		"dropped": func(t *testing.T, w world) {
			q := queue(t, w.sys, "ends")
			require.NoError(t, q.QueueAfter(time.Hour, cmwq.NewWork(anotherItem)))
			require.NoError(t, q.Destroy(bg))
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.Equal(t, [3]int64{1, 0, 0}, [3]int64{st.Dropped, st.Cancelled, int64(st.Delayed)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.PerCPU())
				hold, entered, open := latch()
				require.NoError(t, q.Queue(hold))
				<-entered
				defer func() { open <- struct{}{} }()
				f(t, world{sys, q, hold})
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}
