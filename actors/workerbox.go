package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// workerbox is a worker's mailbox: room for the one lease that can be out, and
// for protoactor's own messages. Nothing is allocated when a lease arrives.
type workerbox struct {
	running atomic.Bool                    // A: somebody runs, or was told to run
	lease   atomic.Pointer[messages.Lease] // A:
	system  systemList                     // A:
	label   *goroutineLabel                // I: of the goroutine that runs it; nil for none

	invoker    actor.MessageInvoker // I:
	dispatcher actor.Dispatcher     // I:
	runFn      func()               // I:
	suspended  bool                 // W:
	now        func() time.Duration // I: of a BH runner, which has a budget; nil for others
}

// PostUserMessage takes a lease; everything else is none of a worker's business.
func (b *workerbox) PostUserMessage(msg any) {
	if l, ok := msg.(*messages.Lease); ok {
		b.lease.Store(l)
		b.schedule()
	}
}

// PostSystemMessage lists a message of protoactor's.
func (b *workerbox) PostSystemMessage(msg any) {
	b.system.push(msg)
	b.schedule()
}

func (b *workerbox) schedule() {
	if !b.running.Load() && b.running.CompareAndSwap(false, true) {
		b.start()
	}
}

// start has it run on a goroutine with its label.
func (b *workerbox) start() {
	if d, ok := b.dispatcher.(*dispatcher); ok {
		d.schedule(b.runFn, b.label)
		return
	}
	b.dispatcher.Schedule(b.runFn)
}

// RegisterHandlers is called by the spawner.
func (b *workerbox) RegisterHandlers(i actor.MessageInvoker, d actor.Dispatcher) {
	b.invoker, b.dispatcher, b.runFn = i, d, b.run
}

// Start and UserMessageCount complete actor.Mailbox.
func (b *workerbox) Start() {}

// UserMessageCount is not kept.
func (b *workerbox) UserMessageCount() int { return 0 }

func (b *workerbox) run() {
	var budget policy.Budget
	if b.now != nil {
		budget = policy.NewBudget(b.now())
	}
	for {
		b.once()
		suspended := b.suspended
		b.running.Store(false)
		idle := b.lease.Load() == nil || suspended
		if idle && b.system.empty() || !b.running.CompareAndSwap(false, true) {
			return
		}
		if b.now != nil && !budget.Spend(b.now()) {
			b.start()
			return
		}
	}
}

func (b *workerbox) once() {
	defer func() {
		if r := recover(); r != nil {
			if invariants.Enabled {
				invariants.Crash(r) // a bug of the engine: loud in tests, supervised elsewhere
			}
			b.invoker.EscalateFailure(r, nil)
		}
	}()
	b.system.deliver(b.invoker, &b.suspended)
	if b.suspended {
		return
	}
	if l := b.lease.Swap(nil); l != nil {
		b.invoker.InvokeUserMessage(l)
	}
}
