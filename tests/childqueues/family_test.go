package childqueues

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// world is a system with parents whose child queues come and go.
type world struct {
	*cmwq.System
	t       *testing.T
	as      *actor.ActorSystem
	parents []*parent
	again   actor.SupervisorStrategy // one for all: protoactor keeps each for ever

	mu     sync.Mutex
	queues []*cmwq.Queue // that ever were
	events map[string][]*cmwq.Abandoned
}

// perParent is how many queues a parent has.
const perParent = 10

// parent is an actor that makes its queues whenever it starts.
type parent struct {
	w       *world
	name    string
	pid     *actor.PID
	queues  [perParent]atomic.Pointer[cmwq.Queue]
	born    chan struct{}
	stopped chan struct{}
	mu      sync.Mutex // who kills it
}

type fails struct{}

func (p *parent) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		for i := range p.queues {
			q, err := p.w.SpawnQueue(ctx, fmt.Sprint(i), kind(i)...)
			if err != nil {
				p.w.t.Error("a name is not free after the end: ", err)
				continue
			}
			p.queues[i].Store(q)
			p.w.mu.Lock()
			p.w.queues = append(p.w.queues, q)
			p.w.mu.Unlock()
		}
		p.born <- struct{}{}
	case fails:
		panic("told to")
	case *actor.Stopped:
		p.stopped <- struct{}{}
	}
}

// kind is what the i-th queue of a parent is.
func kind(i int) []cmwq.QueueOption {
	shutdown := cmwq.Shutdown([]time.Duration{0, time.Millisecond, 20 * time.Millisecond, -1}[rand.IntN(4)])
	return append([]cmwq.QueueOption{shutdown}, [perParent][]cmwq.QueueOption{
		nil, {cmwq.MaxActive(1)}, {cmwq.Ordered()}, {cmwq.PerCPU()}, {cmwq.Unbound(), cmwq.MaxActive(3)},
		{cmwq.MemReclaim()}, {cmwq.HighPri()}, {cmwq.Freezable(), cmwq.MaxActive(2)}, {cmwq.BH()}, {cmwq.CPUIntensive()},
	}[i]...)
}

func newWorld(t *testing.T, parents int) *world {
	quiet := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond))
	sys, err := cmwq.Start(as, cmwq.WithLogger(quiet))
	require.NoError(t, err)
	w := &world{System: sys, t: t, as: as, again: actor.NewRestartingStrategy(), events: map[string][]*cmwq.Abandoned{}}
	as.EventStream.Subscribe(func(e any) {
		if a, ok := e.(*cmwq.Abandoned); ok {
			w.mu.Lock()
			w.events[a.Queue] = append(w.events[a.Queue], a)
			w.mu.Unlock()
		}
	})
	for i := range parents {
		p := &parent{w: w, name: fmt.Sprint("p", i), born: make(chan struct{}, 1), stopped: make(chan struct{}, 1)}
		w.parents = append(w.parents, p)
		p.spawn()
	}
	return w
}

func (p *parent) spawn() {
	pid, err := p.w.as.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return p }, actor.WithGuardian(p.w.again)), p.name)
	require.NoError(p.w.t, err)
	p.pid = pid
	p.await(p.born, "start")
}

func (p *parent) await(c <-chan struct{}, what string) {
	select {
	case <-c:
	case <-time.After(2 * time.Minute):
		panic(p.name + " does not " + what) // with all goroutines
	}
}

// kill ends the actor in one of several ways, and waits for its next life.
func (p *parent) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	root := p.w.as.Root
	switch rand.IntN(4) {
	case 0:
		root.Stop(p.pid)
	case 1:
		root.Poison(p.pid)
	case 2:
		root.Send(p.pid, fails{})
		p.await(p.born, "start again")
		return
	default: // one of its queues alone, and the parent after it
		q := p.queues[rand.IntN(perParent)].Load()
		root.Stop(q.PID())
		root.Stop(p.pid)
	}
	p.await(p.stopped, "stop")
	p.spawn()
}
