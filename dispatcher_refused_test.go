package cmwq_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

const aloneLine = "a queue runs its actors no more: they run on goroutines"

// ask is a request from outside.
func ask(t *testing.T, as *actor.ActorSystem, pid *actor.PID, m any) any {
	t.Helper()
	v, err := as.Root.RequestFuture(pid, m, 10*time.Second).Result()
	require.NoError(t, err)
	return v
}

// askUntil asks until the actor runs on its queue, or not: a run may handle what came
// before it ended.
func askUntil(t *testing.T, as *actor.ActorSystem, pid *actor.PID, on bool) {
	t.Helper()
	for ask(t, as, pid, "x") != on {
		runtime.Gosched()
	}
}

// A queue that refuses does not lose its actors: they go on, can be stopped, and
// come back when it takes work again.
func TestActorsOfAQueueThatRefuses(t *testing.T) {
	log := &records{}
	as, sys := startActors(t, cmwq.WithLogger(log.logger()))
	q := queue(t, sys, "q")
	pid := spawn(t, as, func(c actor.Context) {
		if _, ok := c.Message().(string); ok {
			_, on := cmwq.FromActor(c)
			c.Respond(on)
		}
	}, cmwq.OnQueue(q))
	require.Equal(t, true, ask(t, as, pid, "x"))

	g := newGate()
	require.NoError(t, q.Queue(g.Work))
	<-g.entered
	drained := make(chan error)
	go func() { drained <- q.Drain(bg) }()
	for q.Go(func(*cmwq.Context) error { return nil }) == nil {
		runtime.Gosched()
	}
	askUntil(t, as, pid, false) // the queue drains
	require.Equal(t, false, ask(t, as, pid, "x"))
	require.Len(t, log.find(aloneLine), 1, "told once")
	g.open <- struct{}{}
	require.NoError(t, <-drained)
	askUntil(t, as, pid, true) // it is back again

	require.NoError(t, q.Destroy(bg))
	require.Equal(t, false, ask(t, as, pid, "x"))
	require.Equal(t, false, ask(t, as, pid, "x"))
	told := log.find(aloneLine)
	require.Len(t, told, 2)
	require.Equal(t, "q", told[1]["queue"])
	require.Equal(t, cmwq.ErrDestroyed.Error(), told[1]["err"])
	require.NoError(t, as.Root.StopFuture(pid).Wait())
}

// What the queue has accepted, and drops, is not lost either.
func TestActorsOfASystemThatIsStoppedByForce(t *testing.T) {
	as, sys := startActors(t, silent())
	q := queue(t, sys, "q", cmwq.MaxActive(1))
	open, began := make(chan struct{}), make(chan struct{})
	holds := spawn(t, as, func(c actor.Context) {
		if _, ok := c.Message().(string); ok {
			close(began)
			<-open
			_, on := cmwq.FromActor(c)
			c.Respond(on)
		}
	}, cmwq.OnQueue(q))
	waits := spawn(t, as, func(c actor.Context) {
		if _, ok := c.Message().(string); ok {
			_, on := cmwq.FromActor(c)
			c.Respond(on)
		}
	}, cmwq.OnQueue(q))
	require.NoError(t, q.Flush(bg)) // both are started
	held := as.Root.RequestFuture(holds, "x", 10*time.Second)
	<-began
	waiting := as.Root.RequestFuture(waits, "x", 10*time.Second)
	ctx, cancel := context.WithCancel(bg)
	cancel()
	var stop *cmwq.StopError
	require.ErrorAs(t, sys.Stop(ctx), &stop)
	require.Equal(t, 1, stop.Dropped)
	v, err := waiting.Result()
	require.NoError(t, err)
	require.Equal(t, false, v)
	close(open)
	_, err = held.Result()
	require.NoError(t, err)
}

// An item that does not return ends the run, and not the actor.
func TestActorThatCallsGoexitGoesOn(t *testing.T) {
	var failed atomic.Int32
	as, sys := startActors(t, silent(), cmwq.WithOnFailure(func(string, error) { failed.Add(1) }))
	q := queue(t, sys, "q")
	pid := spawn(t, as, func(c actor.Context) {
		switch c.Message() {
		case "exit":
			runtime.Goexit()
		case "x":
			c.Respond("still there")
		}
	}, actor.WithDispatcher(cmwq.Dispatcher(q)))
	for range 5 {
		as.Root.Send(pid, "exit")
		require.Equal(t, "still there", ask(t, as, pid, "x"))
	}
	require.NoError(t, q.Flush(bg))
	d := cmwq.Dispatcher(q)
	again := make(chan int, 3)
	n := 0
	d.Schedule(func() {
		n++
		again <- n
		if n < 3 {
			panic("past every supervisor")
		}
	})
	for i := range 3 {
		require.Equal(t, i+1, <-again)
	}
	require.NoError(t, sys.Stop(bg))
	require.EqualValues(t, 7, failed.Load())
}

// A thousand actors, and their queue is destroyed while they work: every message is
// handled, each actor's in order, and each stops.
func TestDispatcherStress(t *testing.T) {
	const senders, rounds = 4, 5
	actors := short.AtLeast(100, 1000)
	as, sys := startActors(t, silent())
	for name, opts := range map[string][]cmwq.QueueOption{"managed": {cmwq.MaxActive(16)}, "percpu": {cmwq.PerCPU()}, "unbound": {cmwq.Unbound()}} {
		t.Run(name, func(t *testing.T) {
			q := queue(t, sys, name, opts...)
			var all sync.WaitGroup
			all.Add(actors * senders * rounds)
			pids := make([]*actor.PID, actors)
			for i := range pids {
				var in atomic.Int32
				last := map[int]int{}
				on := onDispatcher["dispatcher"]
				if i%2 == 0 {
					on = onDispatcher["onqueue"]
				}
				pids[i] = as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
					m, ok := c.Message().([2]int)
					if !ok {
						return
					}
					if in.Add(1) != 1 || m[1] != last[m[0]]+1 {
						t.Errorf("two at once, or out of order: %v after %d", m, last[m[0]])
					}
					last[m[0]] = m[1]
					if ctx, ok := cmwq.FromActor(c); ok && i%10 == 0 {
						_ = ctx.Sleep(10 * time.Microsecond)
					}
					in.Add(-1)
					all.Done()
					if i%7 == 0 && m[1] == 2 {
						runtime.Goexit()
					}
				}, on(q)))
			}
			var wg sync.WaitGroup
			for s := range senders {
				wg.Go(func() {
					for r := range rounds {
						for _, pid := range pids {
							as.Root.Send(pid, [2]int{s, r + 1})
						}
						if s == 0 && r == rounds/2 {
							if err := q.Destroy(bg); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			wg.Wait()
			all.Wait()
			for _, pid := range pids {
				require.NoError(t, as.Root.StopFuture(pid).Wait())
			}
		})
	}
}
