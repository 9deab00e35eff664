package cmwq

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/topology"
)

// System owns worker pools and queues. A program has one, as a rule. Its methods
// are safe for concurrent use.
type System struct {
	sys *actors.System
	own *actor.ActorSystem // nil when the caller's is used

	std [numSystemQueues]atomic.Pointer[Queue] // system queues that somebody asked for
}

// New starts a system for a program without actors: it brings its own actor
// system. About 4 ms and 3 MB, most of it protoactor's.
func New(opts ...Option) (*System, error) {
	quiet := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond)) // it costs a goroutine for so long
	s, err := Start(as, opts...)
	if err != nil {
		as.Shutdown()
		return nil, err
	}
	s.own = as
	return s, nil
}

// Start starts a system inside an actor system of the caller's, who stops it before that
// is shut down.
func Start(as *actor.ActorSystem, opts ...Option) (*System, error) {
	var o actors.Options
	for _, set := range opts {
		if err := set(&o); err != nil {
			return nil, err
		}
	}
	sys, err := actors.Start(as, o)
	if err != nil {
		return nil, err
	}
	return &System{sys: sys}, nil
}

// Stop refuses new work (ErrStopped), cancels armed items, waits until every
// queue is empty, and ends every actor and goroutine of the system. Items may go
// on to queue work on the queue that they run on.
//
// When ctx ends first, the contexts of running items are cancelled, items that
// have not started are dropped and reported, and the error is a *StopError. A
// second Stop returns ErrStopped. An item of the system may not: a
// *DeadlockError, and nothing happens.
func (s *System) Stop(ctx context.Context) error {
	err := s.sys.Stop(ctx)
	if s.own != nil && err == nil {
		s.own.Shutdown()
	}
	return err
}

// NewQueue makes a queue. Errors: ErrName for an empty name, ErrExists for one in
// use, ErrOption for a combination that makes no sense, ErrStopped.
//
// A queue is cheap: pools are shared by all queues that want the same CPUs and
// priority. (kernel: alloc_workqueue)
func (s *System) NewQueue(name string, opts ...QueueOption) (*Queue, error) {
	o, err := optionsFor(name, opts)
	if err != nil {
		return nil, err
	}
	q, err := s.sys.NewQueue(name, o.QueueOptions)
	if err != nil {
		return nil, err
	}
	return s.handle(q), nil
}

// optionsFor puts the options of a new queue together.
func optionsFor(name string, opts []QueueOption) (*queueOptions, error) {
	if _, ok := systemQueue(name); ok {
		return nil, ErrExists
	}
	var o queueOptions
	for _, set := range opts {
		set(&o)
	}
	return &o, o.check()
}

// Queue finds a queue by its name; nil if there is none. System queues are found,
// too, whether they were used before or not.
func (s *System) Queue(name string) *Queue {
	if i, ok := systemQueue(name); ok {
		return s.system(i)
	}
	q := s.sys.Queue(name)
	if q == nil {
		return nil
	}
	return s.handle(q)
}

// handle is the one Queue of a queue. The queue keeps it, so that it goes with it.
func (s *System) handle(q *actors.Queue) *Queue {
	return q.Handle(func() any { return &Queue{q: q, sys: s} }).(*Queue)
}

// Topology is the CPUs and their groups as the system sees them.
func (s *System) Topology() *topology.Topology { return s.sys.Topology() }
