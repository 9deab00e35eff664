package torture

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// lives are how child queues and their parents end.
var lives = []op{
	{"stop a queue", 2, func(w *world, r *rand.Rand) {
		p := w.parents[r.IntN(len(w.parents))].place(w)
		if r.IntN(2) == 0 {
			w.as.Root.Stop(p.now.Load().PID())
		} else {
			w.as.Root.Poison(p.now.Load().PID())
		}
	}},
	{"fail a parent", 2, func(w *world, r *rand.Rand) {
		w.parents[r.IntN(len(w.parents))].tell(func(pid *actor.PID) { w.as.Root.Send(pid, fails{}) })
	}},
	{"stop a parent", 1, func(w *world, r *rand.Rand) { w.parents[r.IntN(len(w.parents))].replace() }},
}

// parent is an actor with a queue.
type parent struct {
	w     *world
	name  string
	kind  int
	props *actor.Props
	mu    sync.Mutex // who replaces it

	now     sync.RWMutex // of pid; nobody must send while it is made
	pid     *actor.PID
	stopped chan struct{}
}

type (
	fails  struct{}
	wanted struct {
		name string
		opts options
	}
	spawned struct {
		q   *cmwq.Queue
		err error
	}
)

func (w *world) newParent(kind int) *parent {
	p := &parent{w: w, kind: kind, name: fmt.Sprint("parent", len(w.parents)), stopped: make(chan struct{}, 1)}
	p.props = actor.PropsFromProducer(func() actor.Actor { return p }, actor.WithGuardian(w.again), actor.WithSupervisor(w.directives()))
	w.parents = append(w.parents, p)
	p.start()
	return p
}

// Receive makes p an actor.
func (p *parent) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *wanted:
		q, err := p.w.sys.SpawnQueue(c, m.name, m.opts...)
		c.Respond(&spawned{q, err})
	case fails:
		panic("told to")
	case *actor.Stopped:
		p.stopped <- struct{}{}
	}
}

func (p *parent) start() {
	p.now.Lock()
	defer p.now.Unlock()
	pid, err := p.w.as.Root.SpawnNamed(p.props, p.name)
	if err != nil {
		p.w.t.Error(err)
	}
	p.pid = pid
}

func (p *parent) tell(send func(*actor.PID)) {
	p.now.RLock()
	defer p.now.RUnlock()
	send(p.pid)
}

// stop ends it. An actor that fails at the same time may start again in spite of it.
func (p *parent) stop() {
	for {
		p.tell(p.w.as.Root.Stop)
		select {
		case <-p.stopped:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// replace ends an actor, and has another in its place.
func (p *parent) replace() {
	if p.mu.TryLock() {
		defer p.mu.Unlock()
		p.stop()
		p.start()
	}
}

func (p *parent) place(w *world) *place { return w.places[p.kind] }

// prefix is what the names of its queues begin with.
func (p *parent) prefix() string {
	if p == nil {
		return ""
	}
	return p.name + "/"
}

// spawn has it make a queue, in whichever life of it: what an actor that ends had not
// read is lost, with no answer.
func (p *parent) spawn(name string, opts options) (*cmwq.Queue, error) {
	for {
		var future *actor.Future
		p.tell(func(pid *actor.PID) {
			future = p.w.as.Root.RequestFuture(pid, &wanted{name, opts}, 200*time.Millisecond)
		})
		x, err := future.Result()
		if x, ok := x.(*spawned); ok && err == nil && !errors.Is(x.err, cmwq.ErrExists) {
			return x.q, x.err
		}
		if q := p.w.sys.Queue(p.prefix() + name); q != nil {
			return q, nil // it was made, and the answer came late
		}
		p.w.pause()
	}
}
