package cmwq_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

func TestDrainTakesChainedWorkOnly(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var ran atomic.Int32
		var self, other *cmwq.Work
		other = cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
		self = cmwq.NewWork(func(ctx *cmwq.Context) error {
			_ = ctx.Sleep(10 * time.Millisecond)
			if ran.Add(1) < 5 {
				return q.Queue(self)
			}
			return cmwq.CurrentQueue(ctx).Queue(other)
		})
		require.NoError(t, q.Queue(self))
		drained := make(chan error)
		go func() { drained <- q.Drain(bg) }()
		synctest.Wait()
		require.ErrorIs(t, q.Queue(other), cmwq.ErrDraining)
		require.ErrorIs(t, q.Go(other.Func), cmwq.ErrDraining)
		require.ErrorIs(t, q.QueueAfter(time.Second, other), cmwq.ErrDraining)
		require.Equal(t, cmwq.Busy{}, other.Busy(), "a refused item is idle")
		require.NoError(t, <-drained)
		require.EqualValues(t, 6, ran.Load())
		require.NoError(t, q.Queue(other), "the queue accepts again")
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 7, ran.Load())
	})
}

func TestDestroy(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		armed := cmwq.NewWork(func(*cmwq.Context) error { t.Error("armed work ran"); return nil })
		require.NoError(t, q.QueueAfter(time.Second, armed))
		var ended atomic.Bool
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			defer ended.Store(true)
			return ctx.Sleep(10 * time.Millisecond)
		}))
		require.NoError(t, q.Destroy(bg))
		require.True(t, ended.Load(), "what was queued is done")
		require.Equal(t, cmwq.Busy{}, armed.Busy(), "what was armed is cancelled")
		require.ErrorIs(t, q.Queue(armed), cmwq.ErrDestroyed)
		require.ErrorIs(t, q.Flush(bg), cmwq.ErrDestroyed)
		require.ErrorIs(t, q.Destroy(bg), cmwq.ErrDestroyed)
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 1, st.Dropped)
		synctest.Wait()
		require.Nil(t, sys.Queue("q"))
		queue(t, sys, "q")
	})
}

func TestStopWaitsForWhatIsQueued(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var ran atomic.Int32
		for range 5 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				defer ran.Add(1)
				return ctx.Sleep(10 * time.Millisecond)
			}))
		}
		require.NoError(t, sys.Stop(bg))
		require.EqualValues(t, 5, ran.Load())
		require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrStopped)
		require.ErrorIs(t, q.Flush(bg), cmwq.ErrStopped)
		_, err := sys.NewQueue("late")
		require.ErrorIs(t, err, cmwq.ErrStopped)
		require.ErrorIs(t, sys.Stop(bg), cmwq.ErrStopped)
	})
}

// Stop while leases are out, with items waiting in every list: what ran is told
// to end, the rest is dropped, and everybody is told.
func TestForcedStop(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2))
		running := cmwq.NewWork(func(ctx *cmwq.Context) error {
			<-ctx.Done()
			return context.Cause(ctx)
		})
		require.NoError(t, q.Queue(running))
		var ran atomic.Int32
		count := func(*cmwq.Context) (int, error) { ran.Add(1); return 0, nil }
		futures := []*cmwq.Future[int]{cmwq.Submit(q, count), cmwq.Submit(q, count), cmwq.Submit(q, count)}
		flushed := make(chan error, 1)
		go func() { flushed <- q.Flush(bg) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		err := sys.Stop(ctx)
		var stop *cmwq.StopError
		require.ErrorAs(t, err, &stop)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 0, stop.Running, "the running item honoured its context")
		require.Equal(t, 3-int(ran.Load()), stop.Dropped)
		for _, f := range futures {
			if _, err := f.Wait(bg); err != nil {
				require.ErrorIs(t, err, cmwq.ErrStopped)
			}
		}
		require.ErrorIs(t, <-flushed, cmwq.ErrStopped)
	}, cmwq.WithHogThreshold(0), noGauges())
}

func TestStopLeavesAnItemThatDoesNotEnd(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		err := sys.Stop(ctx)
		var stop *cmwq.StopError
		require.ErrorAs(t, err, &stop)
		require.Equal(t, 1, stop.Running)
		g.open <- struct{}{}
	})
}

func TestNamesAndOptions(t *testing.T) {
	sys := start(t)
	_, err := sys.NewQueue("")
	require.ErrorIs(t, err, cmwq.ErrName)
	q := queue(t, sys, "q")
	_, err = sys.NewQueue("q")
	require.ErrorIs(t, err, cmwq.ErrExists)
	_, err = sys.NewQueue("both", cmwq.PerCPU(), cmwq.Unbound())
	require.ErrorIs(t, err, cmwq.ErrOption)
	_, err = sys.NewQueue("ordered", cmwq.Ordered(), cmwq.MaxActive(2))
	require.ErrorIs(t, err, cmwq.ErrOption)
	require.Same(t, q, sys.Queue("q"))
	require.ErrorIs(t, q.Queue(&cmwq.Work{}), cmwq.ErrNoFunc)
	require.ErrorIs(t, q.Go(nil), cmwq.ErrNoFunc)
	require.ErrorIs(t, q.QueueOn(99, cmwq.NewWork(func(*cmwq.Context) error { return nil })), cmwq.ErrCPU)
	for _, opt := range []cmwq.Option{cmwq.WithTopology(nil), cmwq.WithScope(99), cmwq.WithHogThreshold(-1), cmwq.WithMaxWorkers(0)} {
		_, err := cmwq.New(opt)
		require.ErrorIs(t, err, cmwq.ErrOption)
	}
}

func TestFailuresAreReported(t *testing.T) {
	var got atomic.Pointer[error]
	sys := start(t, cmwq.WithOnFailure(func(q string, err error) { got.Store(&err) }))
	q := queue(t, sys, "q")
	boom := errors.New("boom")
	w := cmwq.NewWork(func(*cmwq.Context) error { panic(boom) })
	require.NoError(t, q.Queue(w))
	require.NoError(t, q.Drain(bg)) // its actor has read the failure: it answers later messages
	var p *cmwq.PanicError
	require.ErrorAs(t, *got.Load(), &p)
	require.ErrorIs(t, *got.Load(), boom)
	require.Contains(t, string(p.Stack), "TestFailuresAreReported")
	st, err := q.Stats(bg)
	require.NoError(t, err)
	require.EqualValues(t, 1, st.Failed)
}
