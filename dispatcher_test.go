package cmwq_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// onDispatcher are the ways to run an actor as items of a queue.
var onDispatcher = map[string]func(*cmwq.Queue, ...cmwq.DispatcherOption) actor.PropsOption{
	"dispatcher": func(q *cmwq.Queue, opts ...cmwq.DispatcherOption) actor.PropsOption {
		return actor.WithDispatcher(cmwq.Dispatcher(q, opts...))
	},
	"onqueue": cmwq.OnQueue,
}

// An actor's messages are handled one at a time, in order, each once, on any queue.
func TestDispatcherKeepsTheMailboxsOrder(t *testing.T) {
	type from struct{ sender, n int }
	const senders, each = 4, 500
	as, sys := startActors(t, silent())
	for name, kind := range withBH() {
		for way, on := range onDispatcher {
			t.Run(name+"/"+way, func(t *testing.T) {
				q := queue(t, sys, name+way, kind)
				var in atomic.Int32
				var last [senders]int
				n, done := 0, make(chan struct{})
				pid := spawn(t, as, func(c actor.Context) {
					m, ok := c.Message().(from)
					if !ok {
						return
					}
					if in.Add(1) != 1 || m.n != last[m.sender]+1 {
						t.Errorf("two at once, or out of order: %v after %d", m, last[m.sender])
					}
					last[m.sender] = m.n
					if n++; n == senders*each {
						close(done)
					}
					in.Add(-1)
				}, on(q, cmwq.Throughput(7)))
				for s := range senders {
					go func() {
						for i := range each {
							as.Root.Send(pid, from{s, i + 1})
							if i%50 == 0 {
								runtime.Gosched()
							}
						}
					}()
				}
				<-done
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Positive(t, st.Total, "it ran as items of the queue")
				require.NoError(t, as.Root.StopFuture(pid).Wait())
			})
		}
	}
}

func TestThroughput(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	for n, want := range map[int]int{-1: 300, 0: 300, 1: 1, 7: 7} {
		require.Equal(t, want, cmwq.Dispatcher(q, cmwq.Throughput(n)).Throughput())
	}
}

// The sender may hold what Receive needs: it never runs on the sender's goroutine.
func TestDispatcherDoesNotRunOnTheSender(t *testing.T) {
	as, sys := startActors(t, silent())
	for name, kind := range withBH() {
		q := queue(t, sys, name, kind)
		var mu sync.Mutex
		done := make(chan struct{}, 10)
		pid := spawn(t, as, func(c actor.Context) {
			if _, ok := c.Message().(string); ok {
				mu.Lock()
				done <- struct{}{}
				mu.Unlock()
			}
		}, actor.WithDispatcher(cmwq.Dispatcher(q)))
		for range 10 {
			mu.Lock()
			as.Root.Send(pid, "x")
			mu.Unlock()
			<-done
		}
	}
}

// A Receive that blocks holds a worker, and says so or not: others go on.
func TestActorsThatBlockHoldNobodyUp(t *testing.T) {
	for name, declared := range map[string]bool{"undeclared": false, "declared": true} {
		t.Run(name, func(t *testing.T) {
			actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
				q := queue(t, sys, "q")
				began := make(chan struct{}, 10)
				var pids []*actor.PID
				for range 5 {
					pids = append(pids, as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
						if _, ok := c.Message().(string); !ok {
							return
						}
						began <- struct{}{}
						if !declared {
							time.Sleep(time.Hour)
							return
						}
						ctx, ok := cmwq.FromActor(c)
						if !ok {
							t.Error("no item")
							return
						}
						_ = ctx.Sleep(time.Hour)
					}, cmwq.OnQueue(q))))
				}
				at := since()
				for _, pid := range pids {
					as.Root.Send(pid, "x")
				}
				for range pids {
					<-began
				}
				require.NoError(t, do(t, q, func(*cmwq.Context) error { return nil }))
				if declared {
					require.Zero(t, at())
				} else {
					require.Less(t, at(), 1000, "each is found within some ticks")
				}
				for _, pid := range pids {
					as.Root.Stop(pid)
				}
			}, noGauges())
		})
	}
}

func TestMaxActiveLimitsActors(t *testing.T) {
	actorBubble(t, 4, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2))
		var in, most, n atomic.Int32
		var pids []*actor.PID
		for range 6 {
			pids = append(pids, as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
				if _, ok := c.Message().(string); ok {
					ctx, _ := cmwq.FromActor(c)
					raise(&most, in.Add(1))
					_ = ctx.Sleep(time.Second)
					in.Add(-1)
					n.Add(1)
				}
			}, cmwq.OnQueue(q))))
		}
		synctest.Wait() // all are started
		at := since()
		for _, pid := range pids {
			as.Root.Send(pid, "x")
		}
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 6, n.Load())
		require.EqualValues(t, 2, most.Load())
		require.Equal(t, 3000, at())
		for _, pid := range pids {
			as.Root.Stop(pid)
		}
	})
}

func TestFromActor(t *testing.T) {
	as, sys := startActors(t, silent())
	q := queue(t, sys, "q")
	got := make(chan bool, 1)
	look := func(c actor.Context) {
		switch c.Message() {
		case "panic":
			panic("supervised")
		case "look":
			ctx, ok := cmwq.FromActor(c)
			if ok {
				e, is := cmwq.Current(ctx)
				ok = is && e.Queue == "q"
			}
			got <- ok
		}
	}
	for name, want := range map[string]bool{"plain": false, "dispatcher": false, "onqueue": true} {
		var opts []actor.PropsOption
		if on := onDispatcher[name]; on != nil {
			opts = append(opts, on(q))
		}
		pid := spawn(t, as, look, opts...)
		for _, m := range []string{"look", "panic", "look"} { // a restarted actor has it, too
			as.Root.Send(pid, m)
			if m == "look" {
				require.Equal(t, want, <-got, name)
			}
		}
	}
}

// An item of an actor asks another actor on the same queue.
func TestActorsOnAQueueAskEachOther(t *testing.T) {
	as, sys := startActors(t, silent())
	q := queue(t, sys, "q", cmwq.MaxActive(2))
	far := spawn(t, as, echo, cmwq.OnQueue(q))
	near := spawn(t, as, func(c actor.Context) {
		if s, ok := c.Message().(string); ok {
			ctx, _ := cmwq.FromActor(c)
			v, err := cmwq.Request[string](ctx, far, s)
			if err != nil {
				t.Error(err)
			}
			c.Respond(v)
		}
	}, cmwq.OnQueue(q))
	v, err := as.Root.RequestFuture(near, "x", 10*time.Second).Result()
	require.NoError(t, err)
	require.Equal(t, "re: x", v)
}
