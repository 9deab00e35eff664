package cmwq_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// family is a system inside an actor system of the test's, and what was published.
type family struct {
	*cmwq.System
	as        *actor.ActorSystem
	abandoned chan *cmwq.Abandoned
}

// withActors runs f in virtual time, with two CPUs.
func withActors(t *testing.T, f func(t *testing.T, fam *family), opts ...cmwq.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		quiet := slog.New(slog.DiscardHandler)
		as := actor.NewActorSystem(
			actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
			actor.WithDeadLetterThrottleInterval(time.Millisecond))
		topo, err := topology.Uniform(1, 1, 2, 1)
		require.NoError(t, err)
		opts = append([]cmwq.Option{cmwq.WithPortableTick(), cmwq.WithTopology(topo), silent(), cmwq.WithMemoryPressure(false)}, opts...)
		sys, err := cmwq.Start(as, opts...)
		require.NoError(t, err)
		fam := &family{sys, as, make(chan *cmwq.Abandoned, 100)}
		as.EventStream.Subscribe(func(event any) {
			if a, ok := event.(*cmwq.Abandoned); ok {
				fam.abandoned <- a
			}
		})
		defer time.Sleep(time.Second) // a dead letter costs protoactor a goroutine for a millisecond
		defer as.Shutdown()
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Hour)
			defer cancel()
			if err := sys.Stop(ctx); err != nil && !errors.Is(err, cmwq.ErrStopped) {
				t.Error(err)
			}
		}()
		f(t, fam)
	})
}

// elder is an actor that does what it is told, and keeps what it hears of others.
type elder struct {
	pid  *actor.PID
	as   *actor.ActorSystem
	born func(ctx actor.Context) // on every start, also after a restart
	told chan any                // Restarting, Stopped, Terminated

	answers bool // everything else, too
}

type fails struct{}

func (p *elder) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		if p.born != nil {
			p.born(ctx)
		}
	case func(actor.Context):
		m(ctx)
	case fails:
		panic("told to")
	case *actor.Restarting, *actor.Stopped, *actor.Terminated:
		p.told <- m
	case *actor.Stopping:
	default:
		if p.answers {
			p.told <- m
		}
	}
}

func (f *family) parent(t *testing.T, name string, born func(ctx actor.Context)) *elder {
	t.Helper()
	p := &elder{as: f.as, born: born, told: make(chan any, 100)}
	pid, err := f.as.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return p }), name)
	require.NoError(t, err)
	p.pid = pid
	return p
}

// do runs f in the actor's turn, and waits for it.
func (p *elder) do(f func(ctx actor.Context)) {
	done := make(chan struct{})
	p.as.Root.Send(p.pid, func(ctx actor.Context) { defer close(done); f(ctx) })
	<-done
}

// child spawns a queue as the actor's child.
func (p *elder) child(t *testing.T, sys *cmwq.System, name string, opts ...cmwq.QueueOption) (q *cmwq.Queue) {
	t.Helper()
	var err error
	p.do(func(ctx actor.Context) { q, err = sys.SpawnQueue(ctx, name, opts...) })
	require.NoError(t, err)
	return q
}

func (p *elder) stop() { p.as.Root.Stop(p.pid) }

// hears gives the next that the actor is told of, once all has come to rest.
func (p *elder) hears() any {
	synctest.Wait()
	select {
	case m := <-p.told:
		return m
	default:
		return nil
	}
}

func TestAChildQueueIsSpawnedAndFound(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		p.do(func(ctx actor.Context) {
			pid := ctx.Spawn(cmwq.QueueProps(fam.System, "mail"))
			require.Equal(t, "user/mail", pid.Id, "a name that Spawn makes up is no name")
			pid, err := ctx.SpawnNamed(cmwq.QueueProps(fam.System, "mail"), "post")
			require.NoError(t, err)
			require.Equal(t, "user/post", pid.Id, "that of SpawnNamed is")
			require.Regexp(t, `^user/\$`, ctx.Spawn(cmwq.QueueProps(fam.System, "")).Id)
			require.Regexp(t, `^user/x-\$`, ctx.SpawnPrefix(cmwq.QueueProps(fam.System, "mail"), "x-").Id)
			require.Len(t, ctx.Children(), 4)
		})
		for _, name := range []string{"user/mail", "user/post"} {
			q := fam.Queue(name)
			require.NotNil(t, q)
			require.Equal(t, name, q.Name())
			require.Equal(t, name, q.PID().Id)
			ran := make(chan struct{})
			require.NoError(t, q.Go(func(*cmwq.Context) error { close(ran); return nil }))
			<-ran
		}
		q, err := fam.SpawnQueue(fam.as.Root, "orphan")
		require.NoError(t, err, "nobody's child")
		require.Same(t, q, fam.Queue("orphan"))
		p.stop()
		require.IsType(t, &actor.Terminated{}, p.hears())
		require.Nil(t, fam.Queue("user/mail"))
		require.NotNil(t, fam.Queue("orphan"))
		require.Empty(t, fam.abandoned)
	})
}

func TestSpawnOfAChildQueueFails(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		other := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
		defer other.Shutdown()
		queue(t, fam.System, "user/taken")
		p.do(func(ctx actor.Context) {
			_, err := fam.SpawnQueue(ctx, "mail")
			require.NoError(t, err)
			_, err = fam.SpawnQueue(ctx, "mail")
			require.ErrorIs(t, err, cmwq.ErrExists)
			require.PanicsWithError(t, cmwq.ErrExists.Error(), func() { ctx.Spawn(cmwq.QueueProps(fam.System, "mail")) })
			_, err = fam.SpawnQueue(ctx, "taken")
			require.ErrorIs(t, err, cmwq.ErrExists, "by a queue of another parent's")
			_, err = ctx.SpawnNamed(actor.PropsFromFunc(func(actor.Context) {}), "actor")
			require.NoError(t, err)
			_, err = fam.SpawnQueue(ctx, "actor")
			require.ErrorIs(t, err, cmwq.ErrExists, "by an actor that is no queue")
			_, err = fam.SpawnQueue(ctx, "")
			require.ErrorIs(t, err, cmwq.ErrName)
			_, err = fam.SpawnQueue(ctx, "odd", cmwq.Ordered(), cmwq.MaxActive(2))
			require.ErrorIs(t, err, cmwq.ErrOption)
			_, err = ctx.SpawnNamed(cmwq.QueueProps(nil, "q"), "q")
			require.ErrorIs(t, err, cmwq.ErrOption)
			require.Len(t, ctx.Children(), 2)
		})
		_, err := fam.SpawnQueue(other.Root, "abroad")
		require.ErrorIs(t, err, cmwq.ErrOption, "of another actor system")
		_, err = fam.SpawnQueue(fam.as.Root, "events")
		require.ErrorIs(t, err, cmwq.ErrExists, "a system queue's")
		require.Nil(t, fam.Queue("user/actor"))
		require.NoError(t, fam.Stop(bg))
		p.do(func(ctx actor.Context) {
			_, err := fam.SpawnQueue(ctx, "late")
			require.ErrorIs(t, err, cmwq.ErrStopped)
		})
	})
}

// What was accepted is done before the parent is gone; armed work is cancelled.
func TestAQueueDrainsWhenItsParentStops(t *testing.T) {
	for name, stop := range map[string]func(p *elder, q *cmwq.Queue){
		"stop of the parent":       func(p *elder, _ *cmwq.Queue) { p.stop() },
		"poison of the parent":     func(p *elder, _ *cmwq.Queue) { p.as.Root.Poison(p.pid) },
		"restart of the parent":    func(p *elder, _ *cmwq.Queue) { p.as.Root.Send(p.pid, fails{}) },
		"stop of the queue":        func(p *elder, q *cmwq.Queue) { p.as.Root.Stop(q.PID()) },
		"poison of the queue":      func(p *elder, q *cmwq.Queue) { p.as.Root.Poison(q.PID()) },
		"destroy":                  func(_ *elder, q *cmwq.Queue) { go func() { _ = q.Destroy(bg) }() },
		"destroy, and then a stop": func(p *elder, q *cmwq.Queue) { go func() { _ = q.Destroy(bg) }(); synctest.Wait(); p.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			withActors(t, func(t *testing.T, fam *family) {
				p := fam.parent(t, "user", nil)
				q := p.child(t, fam.System, "q", cmwq.MaxActive(1))
				at := since()
				var ran atomic.Int32
				var again *cmwq.Work
				again = cmwq.NewWork(func(ctx *cmwq.Context) error {
					if ran.Add(1) == 4 {
						return q.Queue(again) // chained
					}
					return ctx.Sleep(time.Second)
				})
				for range 3 {
					require.NoError(t, q.Go(again.Func))
				}
				require.NoError(t, q.Queue(again))
				armed := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
				require.NoError(t, q.QueueAfter(10*time.Second, armed))
				synctest.Wait()
				stop(p, q)
				synctest.Wait()
				require.ErrorIs(t, q.Go(again.Func), cmwq.ErrDestroyed)
				require.Equal(t, cmwq.Busy{}, armed.Busy())
				second := make(chan error, 1)
				go func() { second <- q.Destroy(bg) }()
				if name == "restart of the parent" {
					require.IsType(t, &actor.Restarting{}, p.hears())
				}
				require.Nil(t, p.hears(), "it waits")
				time.Sleep(4 * time.Second)
				require.IsType(t, &actor.Terminated{}, p.hears())
				require.ErrorIs(t, <-second, cmwq.ErrDestroyed)
				require.EqualValues(t, 5, ran.Load())
				require.Nil(t, fam.Queue("user/q"))
				require.NoError(t, fam.Stop(bg))
				require.Equal(t, 4000, at())
				st, _ := q.Stats(bg)
				require.EqualValues(t, 1, st.Dropped)
				if name != "destroy" && name != "destroy, and then a stop" {
					a := <-fam.abandoned
					require.True(t, a.Has(armed))
					require.Equal(t, 1, a.Dropped)
					require.Zero(t, a.Running)
				}
			})
		})
	}
}
