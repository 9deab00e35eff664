package actors

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// A wait inside an item is a declared sleep, of the item or of a goroutine that it has
// started: what the worker has is not to be read then.

// napKinds are the events for which an execution keeps what it calls.
const napKinds = 1<<messages.EventSleep | 1<<messages.EventWake

// observe keeps what the waits of an execution need for being told.
func (x *itemContext) observe() {
	if w := x.worker; w.pool.obs.wantAny(napKinds) {
		x.code = codeOf(x.item, w.lease.Func())
	}
}

// sleeps tells that the execution waits.
func (x *itemContext) sleeps(at time.Duration) { x.tell(messages.EventSleep, at, 0) }

// wakes tells that it has ended that, after d.
func (x *itemContext) wakes(at, d time.Duration) { x.tell(messages.EventWake, at, d) }

func (x *itemContext) tell(k messages.EventKind, at, d time.Duration) {
	w := x.worker
	if !w.pool.obs.want(k) || w.context.Load() != x { // it is over: a goroutine of it still waited
		return
	}
	e := messages.Event{Queue: x.queue.name, Pool: w.pool.label, Worker: w.name, CPU: w.pool.cpu, Run: d}
	e.About(x.item, x.code)
	w.pool.obs.tell(k, at, &e)
}
