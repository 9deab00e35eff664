package cmwq

import (
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// Dispatcher runs actors as items of q: whenever an actor has messages, an item is
// queued that handles them, on a worker, one after the other. An actor whose Receive
// blocks then holds a worker, and q's pool starts another, as for every item that
// blocks; and all that q is holds for the actors: MaxActive limits how many of them
// handle messages at a time (a blocked one counts), HighPri and Nice are theirs, a
// frozen queue freezes them.
//
//	pid := ctx.Spawn(actor.PropsFromProducer(newThumbnailer, actor.WithDispatcher(cmwq.Dispatcher(q))))
//
// An item goes on until the actor has no messages left, as protoactor's mailboxes
// do: one that always has some is a hog, and noticed as one. OnQueue is for actors
// that declare their sleeps.
//
// No run is lost: if q refuses it (it drains, is full, was destroyed, the system has
// stopped), or drops it, the actor runs on a goroutine of its own, so that it can
// still be stopped, and a warning is logged, once for each time that this begins.
// Goexit in Receive, and a panic that no supervisor took, fail the item, and the
// actor goes on with its next message.
//
// Actors of a BH queue must not block at all. The actors of cmwq itself, child queues
// too, do not belong on a dispatcher of this kind.
//
// A round trip between two actors takes about 1.8 µs where it takes 4 µs on
// protoactor's own dispatcher: a worker's goroutine has its stack already. Nothing is allocated for a run. A dispatcher may be used by any
// number of actors.
func Dispatcher(q *Queue, opts ...DispatcherOption) actor.Dispatcher {
	return newDispatcher(q, opts)
}

// DispatcherOption changes what a Dispatcher does.
type DispatcherOption func(*dispatcher)

// Throughput is how many messages an actor handles before it lets other goroutines
// have the CPU; the default, and what less than 1 means, is 300. It keeps its worker.
func Throughput(n int) DispatcherOption {
	return func(d *dispatcher) {
		if n > 0 {
			d.throughput = n
		}
	}
}

type dispatcher struct {
	q          *Queue      // I:
	throughput int         // I:
	alone      atomic.Bool // A: q refused the last run
	own        bool        // I: it is of one actor
	drops      bool        // I: q is bounded, and drops the oldest
	item       *Context    // the run: of the item that it is, nil on a goroutine
}

func newDispatcher(q *Queue, opts []DispatcherOption) *dispatcher {
	o := q.q.Options()
	d := &dispatcher{q: q, throughput: 300, drops: o.Bound > 0 && o.WhenFull == DropOldest}
	for _, set := range opts {
		set(d)
	}
	return d
}

// Throughput is protoactor's question.
func (d *dispatcher) Throughput() int { return d.throughput }

// Schedule queues a run of a mailbox. It is called by whoever sends to the actor, which
// may be a pool's turn: one that waits for a pool to drop something is not for it.
func (d *dispatcher) Schedule(fn func()) {
	if d.drops {
		go d.queue(fn)
		return
	}
	d.queue(fn)
}

func (d *dispatcher) queue(fn func()) {
	r := newRun(d, fn)
	if err := d.q.q.Queue(&r.work.item, r.work.Func, d.q.chained); err != nil {
		r.Dropped(err)
		return
	}
	if d.alone.Load() {
		d.alone.Store(false)
	}
}

// runAlone is a run that is no item. A panic ends the program, as it does on
// protoactor's own dispatcher.
func (d *dispatcher) runAlone(fn func()) {
	ended := false
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil {
			panic(v)
		}
		d.Schedule(fn) // after a Goexit
	}()
	if d.own {
		d.item = nil
	}
	fn()
	ended = true
}
