package cmwq_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// heeds is an item that ends with its context, and keeps why.
func heeds() (*cmwq.Work, *atomic.Value) {
	var why atomic.Value
	return cmwq.NewWork(func(ctx *cmwq.Context) error {
		<-ctx.Done()
		why.Store(context.Cause(ctx))
		return nil
	}), &why
}

// Work in every place where it can wait: each is dropped once, and told of; what runs
// is told to end, and not waited for.
func TestAnAbandonedQueueDropsWhatWaits(t *testing.T) {
	never := func(t *testing.T) func(*cmwq.Context) error {
		return func(*cmwq.Context) error { t.Error("ran"); return nil }
	}
	for name, c := range map[string]struct {
		opts []cmwq.QueueOption
		fill func(t *testing.T, q *cmwq.Queue, running *cmwq.Work) (waiting []*cmwq.Work)
	}{
		"inactive": {[]cmwq.QueueOption{cmwq.MaxActive(1)}, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) (waiting []*cmwq.Work) {
			for range 3 {
				waiting = append(waiting, cmwq.NewWork(never(t)))
				require.NoError(t, q.Queue(waiting[len(waiting)-1]))
			}
			return waiting
		}},
		"on the worklist": {[]cmwq.QueueOption{cmwq.PerCPU()}, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) (waiting []*cmwq.Work) {
			for range 3 {
				waiting = append(waiting, cmwq.NewWork(never(t)))
				require.NoError(t, q.QueueOn(0, waiting[len(waiting)-1]))
			}
			return waiting
		}},
		"ordered": {[]cmwq.QueueOption{cmwq.Ordered()}, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) []*cmwq.Work {
			w := cmwq.NewWork(never(t))
			require.NoError(t, q.Queue(w))
			return []*cmwq.Work{w}
		}},
		"behind its own run": {nil, func(t *testing.T, q *cmwq.Queue, running *cmwq.Work) []*cmwq.Work {
			require.NoError(t, q.QueueOn(0, running))
			return []*cmwq.Work{running}
		}},
		"with a key": {nil, func(t *testing.T, q *cmwq.Queue, running *cmwq.Work) (waiting []*cmwq.Work) {
			require.NoError(t, q.Keyed("k").Queue(running)) // parked; those behind it are held
			waiting = append(waiting, running)
			for range 3 {
				waiting = append(waiting, cmwq.NewWork(never(t)))
				require.NoError(t, q.Keyed("k").Queue(waiting[len(waiting)-1]))
			}
			return waiting
		}},
		"frozen": {[]cmwq.QueueOption{cmwq.Freezable()}, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) []*cmwq.Work {
			w := cmwq.NewWork(never(t))
			require.NoError(t, q.Keyed(1).Queue(w))
			return []*cmwq.Work{w}
		}},
		"paused": {nil, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) []*cmwq.Work {
			w := cmwq.NewWork(never(t))
			require.NoError(t, q.Keyed(1).Queue(w))
			return []*cmwq.Work{w}
		}},
		"at a fixed worker": {nil, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) (waiting []*cmwq.Work) {
			require.NoError(t, q.Fix(1, 10))
			g := newGate()
			require.NoError(t, q.Queue(g.Work)) // not abandoned by the test: it ends below
			<-g.entered
			for range 3 {
				waiting = append(waiting, cmwq.NewWork(never(t)))
				require.NoError(t, q.Queue(waiting[len(waiting)-1]))
			}
			time.AfterFunc(2*time.Second, func() { g.open <- struct{}{} })
			return waiting
		}},
		"armed": {nil, func(t *testing.T, q *cmwq.Queue, _ *cmwq.Work) []*cmwq.Work {
			w, k := cmwq.NewWork(never(t)), cmwq.NewWork(never(t))
			require.NoError(t, q.QueueAfter(time.Hour, w))
			require.NoError(t, q.Keyed("k").QueueAfter(time.Hour, k))
			return []*cmwq.Work{w, k}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var opts []cmwq.Option
			if name == "on the worklist" {
				opts = append(opts, cmwq.WithMaxWorkers(1)) // else one starts beside what blocks
			}
			withActors(t, func(t *testing.T, fam *family) {
				p := fam.parent(t, "user", nil)
				q := p.child(t, fam.System, "q", append(c.opts, cmwq.Shutdown(time.Second))...)
				running, why := heeds()
				require.NoError(t, q.QueueOn(0, running))
				synctest.Wait()
				frozen := make(chan error, 1)
				switch name { // running goes on, and is waited for
				case "frozen":
					go func() { frozen <- fam.Freeze(bg) }()
				case "paused":
					go func() { frozen <- q.Pause(bg) }()
				}
				synctest.Wait()
				waiting := c.fill(t, q, running)
				series, err := q.Every(cmwq.Interval(time.Hour), cmwq.NewWork(never(t)))
				require.NoError(t, err)
				answers := make(chan error, 3)
				go func() { answers <- q.Flush(bg) }()
				go func() { answers <- q.Drain(bg) }()
				synctest.Wait()
				at := since()
				p.stop()
				if name != "armed" {
					go func() { answers <- waiting[0].Flush(bg) }()
				} else {
					answers <- cmwq.ErrAbandoned
				}
				synctest.Wait()
				require.Nil(t, why.Load(), "it has a second")
				time.Sleep(time.Second)
				synctest.Wait()
				require.Equal(t, cmwq.ErrAbandoned, why.Load())
				for range cap(answers) {
					require.ErrorIs(t, <-answers, cmwq.ErrAbandoned)
				}
				require.ErrorIs(t, series.Err(), cmwq.ErrDestroyed)
				for _, w := range waiting {
					require.Equal(t, cmwq.Busy{}, w.Busy())
					require.ErrorIs(t, q.Queue(w), cmwq.ErrDestroyed)
				}
				require.IsType(t, &actor.Terminated{}, p.hears())
				require.Equal(t, 1000, at())
				if name == "frozen" || name == "paused" {
					require.NoError(t, <-frozen)
				}
				a := <-fam.abandoned
				require.Equal(t, len(waiting), a.Dropped)
				require.Equal(t, "user/q", a.Queue)
				require.GreaterOrEqual(t, a.Running, 1)
				for _, w := range waiting {
					require.True(t, a.Has(w))
				}
				if name != "behind its own run" && name != "with a key" {
					require.False(t, a.Has(running))
				}
				time.Sleep(2 * time.Second)
				require.NoError(t, fam.Stop(bg))
				st, _ := q.Stats(bg)
				require.EqualValues(t, len(waiting), st.Dropped)
				require.Empty(t, fam.abandoned)
			}, opts...)
		})
	}
}

// An item that does not heed its context is left behind: the parent goes on, and a
// queue of the same name may be made.
func TestAnAbandonedQueueWaitsForNobody(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		made := make(chan *cmwq.Queue, 2)
		p := fam.parent(t, "user", func(ctx actor.Context) {
			q, err := fam.SpawnQueue(ctx, "q", cmwq.MaxActive(1), cmwq.Shutdown(0))
			require.NoError(t, err)
			made <- q
		})
		q := <-made
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, errors.New("ran") })
		at := since()
		fam.as.Root.Send(p.pid, fails{})
		next := <-made
		require.Zero(t, at())
		require.NotSame(t, q, next)
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrAbandoned)
		ran := make(chan struct{})
		require.NoError(t, next.Go(func(*cmwq.Context) error { close(ran); return nil }))
		<-ran
		require.True(t, g.Busy().Running)
		require.ErrorIs(t, q.Queue(g.Work), cmwq.ErrDestroyed, "nor does it take what is chained")
		require.NoError(t, next.Queue(g.Work), "which the other does")
		g.open <- struct{}{}
		<-g.entered
		g.open <- struct{}{}
		require.NoError(t, next.Flush(bg))
	})
}

// With a negative Shutdown it takes as long as it takes.
func TestAQueueMayDrainForEver(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q", cmwq.Shutdown(-1))
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(24 * time.Hour) }))
		synctest.Wait()
		p.stop()
		time.Sleep(23 * time.Hour)
		require.Nil(t, p.hears())
		time.Sleep(time.Hour)
		require.IsType(t, &actor.Terminated{}, p.hears())
		require.Empty(t, fam.abandoned)
	})
}
