package cmwq

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/ctxext"
)

// OnQueue has protoactor run the actors of some Props as items of q, as Dispatcher
// does, with a dispatcher for each, so that FromActor finds the item. It takes the
// place of actor.WithDispatcher and actor.WithSpawnFunc.
//
//	props := actor.PropsFromProducer(newThumbnailer, cmwq.OnQueue(q))
//
// It costs a spawn about 1 µs more.
func OnQueue(q *Queue, opts ...DispatcherOption) actor.PropsOption {
	return actor.WithSpawnFunc(func(as *actor.ActorSystem, id string, props *actor.Props, parent actor.SpawnerContext) (*actor.PID, error) {
		d := newDispatcher(q, opts)
		d.own = true
		return actor.DefaultSpawner(as, id, props.Clone(actor.WithDispatcher(d),
			actor.WithOnInit(func(c actor.Context) { c.Set(d) })), parent)
	})
}

// FromActor is the item that an actor runs as, for use by its Receive while that
// lasts: an actor that declares its sleeps, with Sleep, Block, Request or Await, holds
// up nobody, for its pool need not find out. ok is false for an actor that is not
// OnQueue, or that runs on a goroutine because its queue has refused it.
//
// The item's context is cancelled when the queue or the system ends by force, not when
// the actor is told to stop. A Request to the actor itself waits for ever.
func FromActor(c actor.Context) (ctx *Context, ok bool) {
	defer func() { _ = recover() }() // protoactor's Get of what nobody has Set
	d, ok := c.Get(onQueueID).(*dispatcher)
	if !ok {
		return nil, false
	}
	return d.item, d.item != nil
}

var onQueueID = ctxext.NextContextExtensionID()

// ExtensionID is where protoactor keeps it.
func (d *dispatcher) ExtensionID() ctxext.ContextExtensionID { return onQueueID }
