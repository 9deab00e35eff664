package actors

import (
	"runtime"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// queuebox is a queue's mailbox. It holds protoactor's Stop back until the queue has
// been drained or abandoned: who is told to stop with a parent has work to end, and no
// handler waits. A Restart is no more than a word to the queue: what it has accepted,
// its rescuer and who waits for it are all there afterwards.
type queuebox struct {
	running   atomic.Bool // A: somebody runs, was told to run, or will be when it has started
	suspended bool        // turn:
	ending    bool        // turn: it was told to stop: no word of a parent that stops is waited for
	free      bool        // turn: the queue has ended, and Stop may pass
	system    systemList  // A:
	user      systemList  // A:

	queue   *Queue               // I:
	invoker actor.MessageInvoker // I:
	first   *systemMsg           // turn: system messages taken and not delivered, oldest first
	next    *systemMsg           // turn: user messages, the same
	late    func(msg any)        // turn: what becomes of messages after the end; nil before
}

// open makes the mailbox of a queue. It takes messages, and delivers none before Start.
func (b *queuebox) open(q *Queue) {
	b.queue = q
	b.running.Store(true)
}

// stopHeld tells the queue's actor of a Stop that is held back.
type stopHeld struct{}

// PostUserMessage lists a message.
func (b *queuebox) PostUserMessage(msg any) {
	b.user.push(msg)
	b.schedule()
}

// PostSystemMessage lists a message of protoactor's.
func (b *queuebox) PostSystemMessage(msg any) {
	b.system.push(msg)
	b.schedule()
}

func (b *queuebox) schedule() {
	if !b.running.Load() && b.running.CompareAndSwap(false, true) {
		b.queue.sys.disp.Schedule(b.run)
	}
}

// RegisterHandlers is called by the spawner: the actor has its address.
func (b *queuebox) RegisterHandlers(i actor.MessageInvoker, _ actor.Dispatcher) {
	b.invoker, b.queue.pid = i, i.(selfPart).Self()
}

// selfPart is what protoactor's contexts have beside what a mailbox is told of them.
type selfPart interface{ Self() *actor.PID }

// Start is called by the spawner when Started is listed, which is then the first to be
// delivered.
func (b *queuebox) Start() { b.queue.sys.disp.Schedule(b.run) }

// UserMessageCount is not kept.
func (b *queuebox) UserMessageCount() int { return 0 }

func (b *queuebox) run() {
	for {
		b.turn()
		suspended := b.suspended
		if b.first != nil || b.next != nil && !suspended {
			continue // after a panic
		}
		b.running.Store(false)
		if b.system.empty() && (suspended || b.user.empty()) || !b.running.CompareAndSwap(false, true) {
			return
		}
	}
}

// turn delivers messages until there are none; after a panic there may be.
func (b *queuebox) turn() {
	var msg any
	defer func() {
		if r := recover(); r != nil {
			b.invoker.EscalateFailure(r, msg)
		}
	}()
	for n := 1; ; n++ {
		b.deliverSystem()
		if b.next == nil && !b.suspended {
			b.next = reverse(b.user.newest.Swap(nil))
		}
		if b.next == nil || b.suspended {
			return
		}
		msg, b.next = b.next.msg, b.next.next
		if b.late != nil {
			b.late(msg)
		} else {
			b.invoker.InvokeUserMessage(msg)
		}
		if n%b.queue.sys.disp.Throughput() == 0 {
			runtime.Gosched()
		}
	}
}

// deliverSystem hands protoactor's own messages out, which go before all others and
// are delivered to a suspended queue, too.
func (b *queuebox) deliverSystem() {
	for {
		if b.first == nil {
			if b.system.empty() {
				return
			}
			b.first = reverse(b.system.newest.Swap(nil))
		}
		msg := b.first.msg
		b.first = b.first.next
		switch msg.(type) {
		case *actor.SuspendMailbox:
			b.suspended = !b.ending
		case *actor.ResumeMailbox:
			b.suspended = false
		case *actor.Restart:
			b.suspended = false
			b.invoker.InvokeUserMessage(&actor.Restarting{})
		case *actor.Stop:
			if b.suspended, b.ending = false, true; b.free || b.queue.sys.closing.Load() {
				b.invoker.InvokeSystemMessage(msg)
			} else {
				b.invoker.InvokeUserMessage(&stopHeld{})
			}
		default:
			b.invoker.InvokeSystemMessage(msg)
		}
	}
}
