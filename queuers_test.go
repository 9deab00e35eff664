package cmwq_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Whatever takes work takes it in the same ways. What is left out makes no sense: work
// that waits for other work has no time of its own, a key has its pool, and a series
// outlasts whoever begins it, so that no view has Every.
type (
	takesWork interface {
		cmwq.Queuer
		cmwq.ContextQueuer
		Go(f func(*cmwq.Context) error) error
		GoContext(ctx context.Context, f func(*cmwq.Context) error) error
	}
	takesTime interface {
		takesWork
		QueueAfter(d time.Duration, w *cmwq.Work) error
		Modify(d time.Duration, w *cmwq.Work) (bool, error)
	}
	takesOrder interface {
		takesTime
		After(deps ...cmwq.Dependency) *cmwq.After
	}
	takesPlace interface {
		takesOrder
		QueueOn(cpu int, w *cmwq.Work) error
		QueueNode(node int, w *cmwq.Work) error
		QueueAfterOn(cpu int, d time.Duration, w *cmwq.Work) error
		ModifyOn(cpu int, d time.Duration, w *cmwq.Work) (bool, error)
	}
)

var (
	_ takesPlace = (*cmwq.Queue)(nil)
	_ takesPlace = (*cmwq.View)(nil)
	_ takesOrder = (*cmwq.Keyed)(nil)
	_ takesOrder = (*cmwq.KeyedView)(nil)
	_ takesTime  = (*cmwq.Pipe)(nil)
	_ takesWork  = (*cmwq.After)(nil)
)

// Work that waits for other work takes its room first, and waits for that if it may.
func TestAfterWaitsForRoom(t *testing.T) {
	for name, after := range map[string]func(*cmwq.Queue, cmwq.Dependency) *cmwq.After{
		"queue":    func(q *cmwq.Queue, d cmwq.Dependency) *cmwq.After { return q.After(d) },
		"key":      func(q *cmwq.Queue, d cmwq.Dependency) *cmwq.After { return q.Keyed("k").After(d) },
		"view":     func(q *cmwq.Queue, d cmwq.Dependency) *cmwq.After { return q.With(bg).After(d) },
		"view key": func(q *cmwq.Queue, d cmwq.Dependency) *cmwq.After { return q.With(bg).Keyed("k").After(d) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q, open := full(t, sys, 1, cmwq.Refuse, cmwq.MaxActive(1))
				require.NoError(t, q.Go(nop))
				first := newGate()
				require.NoError(t, queue(t, sys, "other").Queue(first.Work))
				<-first.entered

				behind := after(q, first.Work)
				require.ErrorIs(t, behind.Go(nop), cmwq.ErrFull)
				ctx, cancel := context.WithCancelCause(bg)
				given, why := make(chan error, 1), errors.New("tired")
				go func() { given <- behind.GoContext(ctx, nop) }()
				synctest.Wait()
				cancel(why)
				require.ErrorIs(t, <-given, why)

				ran := make(chan struct{}, 1)
				go func() {
					fut := cmwq.SubmitContext(bg, behind, func(*cmwq.Context) (int, error) { ran <- struct{}{}; return 1, nil })
					_, err := fut.Wait(bg)
					given <- err
				}()
				synctest.Wait()
				close(open)
				synctest.Wait()
				require.ErrorIs(t, q.QueueAfter(time.Hour, cmwq.NewWork(nop)), cmwq.ErrFull, "it has its room, and waits")
				require.Empty(t, ran)
				first.open <- struct{}{}
				require.NoError(t, <-given)
				require.Len(t, ran, 1)
			})
		})
	}
}

// What travels with an item of a view does so when other work has to end first, and
// wherever the item is sent.
func TestViewsOfEveryWay(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		type key struct{}
		q := queue(t, sys, "q", cmwq.PerCPU())
		ctx, cancel := context.WithCancel(context.WithValue(bg, key{}, "v"))
		view := q.With(ctx, cmwq.FollowCancel())
		type seen struct {
			value any
			cpu   int
		}
		got := make(chan seen, 1)
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { got <- seen{ctx.Value(key{}), ctx.CPU()}; return nil })
		next := func() seen {
			was := <-got
			require.NoError(t, w.Flush(bg)) // while it runs it stays where it is, wherever it is sent
			return was
		}
		dep := cmwq.NewWork(pauses(time.Millisecond))
		for name, queue := range map[string]func() error{
			"queue node":     func() error { return view.QueueNode(0, w) },
			"after":          func() error { return view.After(dep).Queue(w) },
			"after of a key": func() error { return view.Keyed("k").After(dep).Queue(w) },
		} {
			require.NoError(t, q.Queue(dep))
			require.NoError(t, queue(), name)
			require.Equal(t, "v", next().value, name)
			require.NoError(t, dep.Flush(bg))
		}
		for cpu := range 2 {
			require.NoError(t, view.QueueOn(cpu, w))
			require.Equal(t, seen{"v", cpu}, next())
			require.NoError(t, view.QueueAfterOn(cpu, time.Millisecond, w))
			require.Equal(t, seen{"v", cpu}, next())
			require.NoError(t, q.QueueAfterOn(1-cpu, time.Hour, w))
			pending, err := view.ModifyOn(cpu, time.Minute, w)
			require.NoError(t, err)
			require.True(t, pending)
			require.Equal(t, seen{"v", cpu}, next())
		}
		_, err := view.ModifyOn(-1, 0, w)
		require.ErrorIs(t, err, cmwq.ErrCPU)
		require.ErrorIs(t, view.QueueAfterOn(1<<16, 0, w), cmwq.ErrCPU)

		cancel()
		require.ErrorIs(t, view.QueueNode(0, w), context.Canceled)
		require.ErrorIs(t, view.QueueAfterOn(0, time.Hour, w), context.Canceled)
		_, err = view.ModifyOn(0, time.Hour, w)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, view.After(dep).Queue(w), context.Canceled)
		require.ErrorIs(t, view.Keyed("k").After(dep).Go(w.Func), context.Canceled)
		require.ErrorIs(t, q.With(bg).After(dep).Queue(cmwq.NewWork(nil)), cmwq.ErrNoFunc)
		require.False(t, w.Pending())
	})
}

// A Modify through a pipe is a queueing of its own.
func TestPipedModify(t *testing.T) {
	actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
		q := queue(t, sys, "q")
		got := make(chan *cmwq.Done, 10)
		pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if d, ok := c.Message().(*cmwq.Done); ok {
				got <- d
			}
		}))
		pipe := cmwq.Piped(q, pid)
		w := cmwq.NewWork(nop)
		for _, was := range []func() error{
			func() error { return nil },
			func() error { return q.QueueAfter(time.Hour, w) },
			func() error { return pipe.QueueAfter(time.Hour, w) },
		} {
			require.NoError(t, was())
			want := w.Pending()
			pending, err := pipe.Modify(time.Minute, w)
			require.NoError(t, err)
			require.Equal(t, want, pending)
			d := <-got
			require.Same(t, w, d.Work)
			require.NoError(t, d.Err)
		}
		require.NoError(t, pipe.QueueAfter(time.Minute, w))
		_, err := q.Modify(time.Minute, w)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		_, err = pipe.Modify(0, cmwq.NewWork(nil))
		require.ErrorIs(t, err, cmwq.ErrNoFunc)
		require.NoError(t, q.Destroy(bg))
		require.NoError(t, as.Root.PoisonFuture(pid).Wait())
		require.Empty(t, got, "the queue itself takes the pipe away")
	})
}
