package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Whatever limits a queue has, its actors handle every message.
func TestActorsOfQueuesWithLimits(t *testing.T) {
	for name, opt := range map[string]cmwq.QueueOption{
		"refuse":      cmwq.Bounded(1, cmwq.Refuse),
		"drop oldest": cmwq.Bounded(1, cmwq.DropOldest),
		"wait":        cmwq.MaxWait(time.Millisecond),
		"run":         cmwq.MaxRun(time.Millisecond),
	} {
		t.Run(name, func(t *testing.T) {
			actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
				q := queue(t, sys, "q", opt, cmwq.MaxActive(1))
				got := make(chan int, 100)
				pids := make([]*actor.PID, 5)
				for i := range pids {
					pids[i] = as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
						if n, ok := c.Message().(int); ok {
							got <- n
						}
					}, actor.WithDispatcher(cmwq.Dispatcher(q))))
				}
				synctest.Wait() // they are started
				g := newGate()
				require.NoError(t, q.Queue(g.Work))
				<-g.entered
				for range 3 {
					for i, pid := range pids {
						as.Root.Send(pid, i)
					}
					time.Sleep(10 * time.Millisecond)
				}
				g.open <- struct{}{}
				synctest.Wait()
				time.Sleep(10 * time.Millisecond)
				require.Len(t, got, 15)
				for _, pid := range pids {
					require.NoError(t, as.Root.StopFuture(pid).Wait())
				}
			})
		})
	}
}

func pipedHere(*cmwq.Context) error { return nil }

// A pipe tells of items whose time is up, and of those that made room for others: to an
// actor that runs on the same queue, too.
func TestPipedTellsOfLimits(t *testing.T) {
	for name, opt := range map[string]cmwq.QueueOption{
		"drop": cmwq.Bounded(2, cmwq.DropOldest),
		"wait": cmwq.MaxWait(time.Millisecond),
	} {
		t.Run(name, func(t *testing.T) {
			actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
				q := queue(t, sys, "q", opt, cmwq.MaxActive(1))
				got := make(chan *cmwq.Done, 10)
				pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
					if d, ok := c.Message().(*cmwq.Done); ok {
						got <- d
					}
				}, actor.WithDispatcher(cmwq.Dispatcher(q))))
				synctest.Wait() // it is started
				g := newGate()
				require.NoError(t, q.Queue(g.Work))
				<-g.entered
				pipe := cmwq.Piped(q, pid)
				first := cmwq.NewWork(pipedHere)
				require.NoError(t, pipe.Queue(first))
				for range 2 {
					require.NoError(t, pipe.Go(pipedHere))
				}
				time.Sleep(10 * time.Millisecond)
				g.open <- struct{}{}
				d := <-got
				require.Zero(t, d.Attempt)
				if name == "drop" {
					require.Same(t, first, d.Work)
					require.ErrorIs(t, d.Err, cmwq.ErrDropped)
				} else {
					var late *cmwq.TimeoutError
					require.ErrorAs(t, d.Err, &late)
					require.Contains(t, late.Func(), "pipedHere", "not what wraps it")
				}
				<-got
				<-got
				require.NoError(t, as.Root.StopFuture(pid).Wait())
			})
		})
	}
	t.Run("run", func(t *testing.T) {
		actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.MaxRun(time.Millisecond))
			got := make(chan *cmwq.Done, 10)
			pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
				if d, ok := c.Message().(*cmwq.Done); ok {
					got <- d
				}
			}))
			require.NoError(t, cmwq.Piped(q, pid).Go(func(ctx *cmwq.Context) error { _ = ctx.Sleep(time.Second); return nil }))
			var late *cmwq.TimeoutError
			require.ErrorAs(t, (<-got).Err, &late)
			require.NoError(t, as.Root.StopFuture(pid).Wait())
		})
	})
}

// Who tells an actor of the queue that something was dropped may be the pool's turn,
// which must not wait for itself to drop something else.
func TestDroppedFutureTellsActorsOfItsQueue(t *testing.T) {
	actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Bounded(2, cmwq.DropOldest), cmwq.MaxActive(1))
		got := make(chan error, 10)
		var pids []*actor.PID
		for range 3 {
			pids = append(pids, as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
				if r, ok := c.Message().(*cmwq.Result[int]); ok {
					got <- r.Err
				}
			}, cmwq.OnQueue(q))))
		}
		synctest.Wait() // they are started
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 7, nil })
		for _, pid := range pids {
			cmwq.PipeTo(as.Root, fut, pid)
		}
		for range 2 {
			require.NoError(t, q.Go(pipedHere))
		}
		synctest.Wait()
		g.open <- struct{}{}
		for range pids {
			require.ErrorIs(t, <-got, cmwq.ErrDropped)
		}
		for _, pid := range pids {
			require.NoError(t, as.Root.StopFuture(pid).Wait())
		}
	})
}
