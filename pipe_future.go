package cmwq

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
)

// Result is what PipeTo sends: a *Result[T].
type Result[T any] struct {
	ID    uuid.UUID // the Future's
	Value T
	Err   error // as Wait has it
}

// ActorSystemer is who belongs to an actor system: an actor.Context, or its Root.
type ActorSystemer interface{ ActorSystem() *actor.ActorSystem }

// PipeTo sends a *Result[T] to pid when f is resolved, at once if it is: with what the
// function returned, or why it failed, was refused, cancelled or dropped. Nobody waits
// meanwhile, neither an actor nor a goroutine.
//
//	case *Render:
//		fut := cmwq.Submit(q, m.do)
//		a.jobs[fut.ID()] = m
//		cmwq.PipeTo(c, fut, c.Self())
//	case *cmwq.Result[Image]:
//		...
//
// It may be called at any time, by anybody, and as often as there are actors to be
// told, in no order. The message is sent by who resolves f, a worker as a rule: an actor on protoactor's synchronized dispatcher would handle it there, and
// must not. pid must not be nil: PipeTo panics with ErrNoActor.
func PipeTo[T any](to ActorSystemer, f *Future[T], pid *actor.PID) {
	if pid == nil {
		panic(ErrNoActor)
	}
	id, root := f.ID(), to.ActorSystem().Root
	f.then(func() { root.Send(pid, &Result[T]{ID: id, Value: f.value, Err: f.err}) })
}

// ID names the future: it is made when it is first asked for, which takes about half a
// microsecond, and stays.
func (f *Future[T]) ID() uuid.UUID {
	for {
		now := f.rare.Load()
		if now != nil && now.named {
			return now.id
		}
		next := &rare{id: uuid.New(), named: true}
		if now != nil {
			next.early = now.early
		}
		if f.rare.CompareAndSwap(now, next) {
			return next.id
		}
	}
}

// Named gives the ID to loggers, if it was asked for. For the engine.
func (f *Future[T]) Named() (id string, ok bool) {
	if r := f.rare.Load(); r != nil && r.named {
		return r.id.String(), true
	}
	return "", false
}
