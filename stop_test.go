package cmwq_test

import (
	"context"
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

func TestForcedStopReleasesAFlusher(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Hour) })
		require.NoError(t, q.Queue(w))
		flushed := make(chan error, 1)
		go func() { flushed <- w.Flush(bg) }()
		synctest.Wait()
		g.open <- struct{}{}
		synctest.Wait()
		require.True(t, w.Busy().Running)
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		require.Error(t, sys.Stop(ctx))
		select {
		case err := <-flushed:
			require.ErrorIs(t, err, cmwq.ErrStopped)
		case <-time.After(10 * time.Hour):
			t.Error("the flusher was never released")
		}
	})
}

func TestForcedStopDoesNotCountWhatEnded(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Hour) }))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		var stop *cmwq.StopError
		require.ErrorAs(t, sys.Stop(ctx), &stop)
		require.Equal(t, 0, stop.Running)
	})
}

func TestAcceptedWhileStoppingRuns(t *testing.T) {
	for range short.Rounds(15) {
		sys, err := cmwq.New(silent())
		require.NoError(t, err)
		q, err := sys.NewQueue("q")
		require.NoError(t, err)
		var accepted, ran atomic.Int64
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for {
					err := q.Go(func(*cmwq.Context) error { ran.Add(1); return nil })
					if err != nil {
						if !errors.Is(err, cmwq.ErrStopped) {
							t.Error(err)
						}
						return
					}
					accepted.Add(1)
				}
			})
		}
		time.Sleep(100 * time.Microsecond)
		require.NoError(t, sys.Stop(bg))
		wg.Wait()
		require.Equal(t, accepted.Load(), ran.Load())
	}
}

func TestFlushOfADroppedItemFails(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { t.Error("ran"); return nil })
		require.NoError(t, q.Queue(w))
		flushed := make(chan error, 2)
		go func() { flushed <- w.Flush(bg) }()
		go func() { flushed <- g.Flush(bg) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		require.Error(t, sys.Stop(ctx))
		require.ErrorIs(t, <-flushed, cmwq.ErrStopped)
		require.ErrorIs(t, <-flushed, cmwq.ErrStopped)
		g.open <- struct{}{}
	})
}

// Stop right after a pool asked for a worker.
func TestStopWhileAWorkerIsMade(t *testing.T) {
	for i := range short.Rounds(50) {
		sys, err := cmwq.New(silent())
		require.NoError(t, err)
		q, err := sys.NewQueue("q")
		require.NoError(t, err)
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		ctx, cancel := context.WithTimeout(bg, 5*time.Second)
		err = sys.Stop(ctx)
		require.NoError(t, ctx.Err(), "round %d: Stop hung", i)
		require.NoError(t, err)
		cancel()
	}
}
