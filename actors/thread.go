package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/threads"
	"github.com/cmwq/cmwq/messages"
)

// thread is an operating system thread, and the dispatcher of the one worker that runs
// on it. Nobody else ever does: it ends with the worker, bound and niced as it is.
type thread struct {
	pin   *pin            // I:
	disp  *dispatcher     // I: the system's
	label *goroutineLabel // I: of its goroutine
	next  chan func()     // what it runs next; nil ends it
	ended atomic.Bool     // A: its worker has stopped
	id    atomic.Int64    // A: of the thread, 0: it has not begun, or has ended
	away  atomic.Bool     // A: it was brought to its pod, and may leave it from now on

	waits threads.Waits // T: T is the thread

	// What the clocks said when its present lease began, or the last one ended.
	ran    atomic.Int64  // A: written by T
	waited atomic.Int64  // A: written by T
	turns  atomic.Uint64 // A: written by T

	cpu    atomic.Int64  // A: written by T: where it was then
	looked time.Duration // P: when it was last asked whether it sleeps,
	clock  time.Duration // P: what its clock said at the last look,
	asleep bool          // P: and whether it slept
}

// newThread starts one.
func (n *pin) newThread(label *goroutineLabel) *thread {
	t := &thread{pin: n, disp: n.sys.disp, label: label, next: make(chan func(), 1)}
	t.cpu.Store(-1)
	n.sys.threads.Add(1)
	t.disp.ownThread(func() { t.loop(nil) })
	return t
}

// Throughput is a dispatcher's.
func (t *thread) Throughput() int { return t.disp.Throughput() }

// Schedule runs the worker's mailbox. What comes after the worker's end is no work.
func (t *thread) Schedule(fn func()) {
	if t.ended.Load() {
		t.disp.Schedule(fn)
		return
	}
	t.next <- fn
}

// loop runs on the thread. An item that calls runtime.Goexit ends that, and the worker goes
// on with another.
func (t *thread) loop(fn func()) {
	t.begin()
	defer func() {
		t.waits.Close()
		t.id.Store(0) // it may be another's soon
		if fn == nil {
			t.pin.sys.threads.Add(-1)
			return
		}
		t.disp.ownThread(func() { t.loop(fn) })
	}()
	for {
		if fn == nil {
			if fn = <-t.next; fn == nil {
				return
			}
		}
		fn()
		fn = nil
		if t.ended.Load() {
			return
		}
	}
}

func (t *thread) begin() {
	t.label.set()
	t.waits = threads.OpenWaits()
	t.id.Store(int64(threads.ID())) // before it is bound: see pool.move
	t.pin.bind(threads.Self)
	t.pin.renice()
	t.stamp()
}

// stamp reads the clocks, between two leases.
func (t *thread) stamp() {
	l := t.waits.Read()
	t.waited.Store(int64(l.Waited))
	t.turns.Store(l.Turns)
	t.cpu.Store(int64(threads.CPU()))
	t.ran.Store(int64(threads.Clock(threads.Self)))
}

// unused ends a thread that never had a worker.
func (t *thread) unused() {
	if t != nil {
		t.next <- nil
	}
}

// pin gives the worker a thread.
func (w *worker) pin(props *actor.Props) *actor.Props {
	w.thread = w.pool.pin.newThread(w.box.label)
	return props.Configure(actor.WithDispatcher(w.thread), actor.WithProducer(func() actor.Actor { return pinned{w} }))
}

// pinned is a worker with a thread.
type pinned struct{ *worker }

// Receive runs a lease, and reads the clocks for the next.
func (w pinned) Receive(ctx actor.Context) {
	t := w.thread
	switch ctx.Message().(type) {
	case *messages.Lease:
		if t.away.Load() && t.away.Swap(false) {
			t.pin.bind(threads.Self)
		}
		defer t.stamp() // after a Goexit it is another thread's
	case *actor.Stopped:
		defer t.ended.Store(true)
	}
	w.worker.Receive(ctx)
}
