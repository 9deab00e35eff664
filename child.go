package cmwq

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Abandoned is what is published on protoactor's EventStream when a queue that was told
// to stop ended without running all it had accepted.
type Abandoned = messages.Abandoned

// QueueProps are the Props of a queue that is a child of the actor that spawns it, in
// the actor system that sys was started in (Start):
//
//	pid := ctx.Spawn(cmwq.QueueProps(sys, "thumbnails", cmwq.MaxActive(4)))
//	pid, err := ctx.SpawnNamed(cmwq.QueueProps(sys, ""), "thumbnails")
//
// The queue is as one of NewQueue, with the same pools. Its name, by which sys.Queue
// finds it, is the id of its PID: the parent's, a slash, and name. The name that
// SpawnNamed is given goes before it; with none at all the id is one that protoactor
// makes up. Errors are those of NewQueue, and ErrOption if sys lives in another actor
// system; SpawnNamed returns them, Spawn panics, as it does for any actor. Props may be
// used any number of times, and configured with middleware and decorators; mailbox,
// dispatcher, producer and supervisor are the queue's own.
//
// The queue ends with its parent. When the parent stops or restarts, or when anybody
// sends the queue protoactor's Stop or PoisonPill, it refuses work (ErrDestroyed) and
// drops what is armed, and drains for as long as Shutdown says; meanwhile the parent
// waits, and still hears messages. Then the queue is abandoned: what has not started is
// dropped, and what runs is told to end by its context, with ErrAbandoned; the queue does not
// wait for it. Who waits for a Flush, Drain or Destroy of it is told ErrAbandoned. What
// was dropped is told of in Stats.Dropped, in the log, and in an *Abandoned on the
// EventStream; a Future fails with ErrAbandoned. Destroy ends the actor, too. Whoever
// watches it gets protoactor's Terminated; the parent does so anyway. A Restart of the
// queue itself changes nothing: work that was accepted stays.
//
// Where one pool serves it, it keeps 1.7 kB, or 1.8 when it has run items, and no
// goroutine; each further pool is 0.75 kB; a small actor is 1.0 kB (BenchmarkChildren, of
// 2000). What few queues use comes on top when it is first used: a rate, keys, a strategy,
// contexts of items, a changed limit.
func QueueProps(sys *System, name string, opts ...QueueOption) *actor.Props {
	return queueProps(sys, name, opts, func(*actors.Queue) {})
}

func queueProps(sys *System, name string, opts []QueueOption, made func(*actors.Queue)) *actor.Props {
	spawn := func(as *actor.ActorSystem, id string, props *actor.Props, parent actor.SpawnerContext) (*actor.PID, error) {
		if sys == nil {
			return nil, fmt.Errorf("%w: QueueProps without a system", ErrOption)
		}
		id = actors.ChildID(id, name)
		o, err := optionsFor(id, opts)
		if err != nil {
			return nil, err
		}
		q, err := sys.sys.SpawnChild(as, id, props, parent, o.QueueOptions)
		if err != nil {
			return nil, err
		}
		made(q)
		return q.PID(), nil
	}
	return (&actor.Props{}).Configure(actor.WithSpawnFunc(spawn))
}

// SpawnQueue makes a queue as a child of the actor that has ctx, as SpawnNamed of
// QueueProps does, and gives the Queue. ctx must be that of the caller's own turn, or
// the RootContext, for a queue that is nobody's child. ErrName for an empty name.
//
// An actor calls it in *actor.Started, which it gets again after a restart: that has ended
// the queue, as any child, and the name is free.
func (s *System) SpawnQueue(ctx actor.SpawnerContext, name string, opts ...QueueOption) (*Queue, error) {
	if name == "" {
		return nil, ErrName
	}
	var q *actors.Queue
	if _, err := ctx.SpawnNamed(queueProps(s, name, opts, func(made *actors.Queue) { q = made }), name); err != nil {
		return nil, err
	}
	return s.handle(q), nil
}

// PID is the address of the queue's actor, to watch it, to stop it, and to send it
// messages of package messages.
func (q *Queue) PID() *actor.PID { return q.q.PID() }

// Shutdown is for how long a queue drains when its parent stops, or when it is told to
// stop itself, before it is abandoned. The default is 5 s. 0 abandons it at once; with a
// negative d it takes as long as it takes. Destroy and Stop of the system do not look
// at it. (Erlang: shutdown of a child specification)
func Shutdown(d time.Duration) QueueOption { return func(o *queueOptions) { o.Shutdown = &d } }
