package cmwq_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Stop of the system while a child drains waits for it; a forced one ends it.
func TestTheSystemStopsWhileAChildDrains(t *testing.T) {
	for _, forced := range []bool{false, true} {
		withActors(t, func(t *testing.T, fam *family) {
			p := fam.parent(t, "user", nil)
			q := p.child(t, fam.System, "q", cmwq.MaxActive(1), cmwq.Shutdown(time.Hour))
			ran := 0
			for range 2 {
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { ran++; return ctx.Sleep(10 * time.Second) }))
			}
			synctest.Wait()
			p.stop()
			synctest.Wait()
			ctx, cancel := context.WithTimeout(bg, 15*time.Second)
			defer cancel()
			if !forced {
				ctx = bg
			}
			at := since()
			err := fam.Stop(ctx)
			if !forced {
				require.NoError(t, err)
				require.Equal(t, 20000, at())
			} else {
				var stop *cmwq.StopError
				require.ErrorAs(t, err, &stop)
				require.Zero(t, stop.Dropped, "the second runs by then")
			}
			require.Equal(t, 2, ran)
			require.IsType(t, &actor.Terminated{}, p.hears(), "the parent is gone, too")
			require.ErrorIs(t, q.Flush(bg), cmwq.ErrStopped)
		})
	}
}

// A child that is abandoned while the system stops does not make that a forced stop.
func TestAChildIsAbandonedWhileTheSystemStops(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q", cmwq.MaxActive(1), cmwq.Shutdown(time.Second))
		other := queue(t, fam.System, "other")
		var slept error
		require.NoError(t, other.Go(func(ctx *cmwq.Context) error { slept = ctx.Sleep(time.Minute); return nil }))
		running, why := heeds()
		require.NoError(t, q.Queue(running))
		require.NoError(t, q.Go(func(*cmwq.Context) error { t.Error("ran"); return nil }))
		synctest.Wait()
		at := since()
		go func() { time.Sleep(time.Millisecond); p.stop() }()
		require.NoError(t, fam.Stop(bg))
		require.Equal(t, 60000, at())
		require.NoError(t, slept)
		require.Equal(t, cmwq.ErrAbandoned, why.Load())
		require.Equal(t, 1, (<-fam.abandoned).Dropped)
	})
}

// A restart of a queue itself, by a parent that does not know better, loses nothing.
func TestARestartOfAQueueKeepsItsWork(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q", cmwq.MaxActive(1), cmwq.MemReclaim())
		var ran atomic.Int32
		for range 3 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { ran.Add(1); return ctx.Sleep(time.Second) }))
		}
		synctest.Wait()
		p.do(func(ctx actor.Context) { ctx.(actor.Supervisor).RestartChildren(q.PID()) })
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 3, ran.Load())
		p.stop()
		require.IsType(t, &actor.Terminated{}, p.hears())
	})
}

func TestASystemQueueDoesNotStop(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		fam.as.Root.Stop(fam.Managed().PID())
		fam.as.Root.Poison(fam.Managed().PID())
		synctest.Wait()
		require.NoError(t, fam.Managed().Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, fam.Managed().Flush(bg))
	})
}

// Whoever watches a queue is told of its end.
func TestAQueueIsWatched(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		q := queue(t, fam.System, "q")
		w := fam.parent(t, "watcher", func(ctx actor.Context) { ctx.Watch(q.PID()) })
		require.Nil(t, w.hears())
		require.NoError(t, q.Destroy(bg))
		m, ok := w.hears().(*actor.Terminated)
		require.True(t, ok)
		require.Equal(t, q.PID().Id, m.Who.Id)
	})
}
