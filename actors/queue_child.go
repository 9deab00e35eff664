package actors

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// A child queue is a queue whose actor is a child of the user's. The system's actor
// makes it, as any queue, with its pools and in order with a freeze; only whose child
// it is differs. So it is there, or it is not: no message to it can come too early.

// SpawnChild makes a queue as a child of an actor; it is what a Props with a spawn
// function calls. The queue's name is id, which begins with the parent's.
func (s *System) SpawnChild(as *actor.ActorSystem, id string, props *actor.Props, owner actor.SpawnerContext, opts QueueOptions) (*Queue, error) {
	if as != s.as {
		return nil, fmt.Errorf("%w: the queue's system lives in another actor system", messages.ErrOption)
	}
	return s.newQueue(&newQueue{name: id, opts: opts, props: props, owner: owner})
}

// ChildID is the name of a child: the id that a SpawnNamed gave, but with the name of
// its own in place of one that a Spawn made up.
func ChildID(id, name string) string {
	at := strings.LastIndexByte(id, '/') + 1
	if name == "" || !strings.HasPrefix(id[at:], "$") {
		return id
	}
	return id[:at] + name
}

// spawnQueue starts the actor of a queue: as a child of the system's, or of the user's.
// The props of a child may have what its spawner wants: middleware, decorators.
func (a *systemActor) spawnQueue(ctx actor.Context, qa *queueActor, m *newQueue) (err error) {
	q := qa.q
	q.box.open(q)
	a.making = qa
	defer func() { a.making = nil }()
	switch {
	case m.props == nil:
		_, err = ctx.SpawnNamed(a.own, "queue/"+q.name+a.sys.as.ProcessRegistry.NextId())
	case plain(m.props):
		_, err = actor.DefaultSpawner(a.sys.as, q.name, a.childs, m.owner)
	default:
		props := *m.props
		_, err = actor.DefaultSpawner(a.sys.as, q.name, props.Configure(a.queueProps(true)...), m.owner)
	}
	if errors.Is(err, actor.ErrNameExists) {
		return messages.ErrExists
	}
	return err
}

// queueProps are what the actors of queues have. A spawn makes actor and mailbox at
// once, in the turn of the system's actor, and never again: a Restart of a queue makes no
// other (see queuebox). So queues share the Props.
func (a *systemActor) queueProps(child bool) []actor.PropsOption {
	own := []actor.PropsOption{
		actor.WithProducer(func() actor.Actor { return a.making }),
		actor.WithDispatcher(a.sys.disp),
		actor.WithMailbox(func() actor.Mailbox { return &a.making.q.box }),
	}
	if child {
		own = append(own, actor.WithSupervisor(a.resumes))
	}
	return own
}

// plain says whether nothing of a Props was configured but its spawn function. (protoactor
// does not say; whatever it adds to Props counts as configured.)
func plain(props *actor.Props) bool {
	v, set := reflect.ValueOf(props).Elem(), 0
	for _, field := range v.Fields() {
		if !field.IsZero() {
			set++
		}
	}
	return set == 1
}

// PID is the address of the queue's actor.
func (q *Queue) PID() *actor.PID { return q.pid }

// stopActors ends the actors of the system, and those of queues that are children of
// others.
func (s *System) stopActors() {
	s.closing.Store(true)
	s.as.Root.Stop(s.root)
	for q := range s.eachQueue() {
		if q.child && !q.isGone() {
			s.as.Root.Stop(q.pid)
		}
	}
}

func (q *Queue) isGone() bool { return q.gone.isGiven() }

// awaitChildren waits for the ends of queues that are children of others.
func (s *System) awaitChildren(ctx context.Context) {
	for q := range s.eachQueue() {
		if !q.child {
			continue
		}
		select {
		case <-q.gone.done():
		case <-ctx.Done():
			return
		}
	}
}

// disarmAll has the delayer drop the armed items of all queues, and waits for that.
func (s *System) disarmAll() {
	told := make(chan []*messages.Item, 1)
	m := &disarmMsg{why: messages.ErrStopped, told: func(dropped []*messages.Item) { told <- dropped }}
	if _, ok := s.delayer.mb.post(&messages.NewControl(m).Item); !ok {
		return
	}
	n := map[*Queue]int{}
	for _, it := range <-told {
		n[queueOf(it)]++
	}
	for q, n := range n {
		q.warnDisarmed(n)
	}
}
