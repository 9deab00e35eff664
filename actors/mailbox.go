package actors

import (
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// What a mailbox does when an item is pushed.
const (
	idle  = int32(iota) // a push onto the empty list runs a turn
	busy                // a turn is in progress
	again               // a turn is in progress and must look once more
	quiet               // no turn needed: every slot is leased and the tick is armed
	wake                // no turn needed: a woken worker looks when it starts
)

// inlineTurns is how many turns a caller runs before they are handed over.
const inlineTurns = 4

// sealed stands at the head of a list that takes nothing more.
var sealed = new(messages.Item)

// mailbox is a pool's or delayer's mailbox: an intrusive lock-free list of items
// and control messages in one order, read a whole list at a time.
//
// Pushing is one compare-and-swap. In steady state it schedules nothing: the
// worker that reports its lease done runs the turn, and grants itself the next.
type mailbox struct {
	head   atomic.Pointer[messages.Item] // A: newest first
	_      [56]byte
	status atomic.Int32 // A:
	_      [60]byte
	system systemList                    // A:
	late   atomic.Pointer[messages.Item] // A: control messages after head is sealed
	since  atomic.Int64                  // A: first push onto the empty list of a quiet pool, 0 none

	invoker    actor.MessageInvoker // I:
	dispatcher actor.Dispatcher     // I:
	turnFn     func()               // I:
	rest       func() int32         // I: the status to rest in after a turn
	clock      func() int64         // I: stamps since; nil if nobody wants it
	batch      batch                // turn:
	suspended  bool                 // turn:
}

// batch is what the owner's Receive gets: a list, oldest first, doubly linked.
type batch struct{ first *messages.Item }

// PostUserMessage lists a message from outside the engine.
func (m *mailbox) PostUserMessage(msg any) { m.post(&messages.NewControl(msg).Item) }

// PostSystemMessage lists a message of protoactor's.
func (m *mailbox) PostSystemMessage(msg any) {
	m.system.push(msg)
	m.notify()
}

// RegisterHandlers is called by the spawner.
func (m *mailbox) RegisterHandlers(i actor.MessageInvoker, d actor.Dispatcher) {
	m.invoker, m.dispatcher = i, d
	m.turnFn = func() { m.turn(1 << 30) }
}

// Start and UserMessageCount complete actor.Mailbox.
func (m *mailbox) Start() {}

// UserMessageCount is not kept.
func (m *mailbox) UserMessageCount() int { return 0 }

// push lists an item at one of the two lists.
func push(head *atomic.Pointer[messages.Item], it *messages.Item) (first, ok bool) {
	for {
		old := head.Load()
		if old == sealed {
			return false, false
		}
		it.Next = old
		if head.CompareAndSwap(old, it) {
			return old == nil, true
		}
	}
}

// queue lists a work item. It is refused if the mailbox is sealed.
func (m *mailbox) queue(it *messages.Item) bool {
	first, ok := push(&m.head, it)
	if first {
		switch m.status.Load() {
		case idle:
			if m.status.CompareAndSwap(idle, busy) {
				m.turn(inlineTurns)
			}
		case quiet:
			if m.clock != nil {
				m.since.Store(m.clock())
			}
		}
	}
	return ok
}

// post lists a control message; a turn follows. ran says that it ran here.
func (m *mailbox) post(it *messages.Item) (ran, ok bool) {
	if _, ok = push(&m.head, it); !ok {
		if _, ok = push(&m.late, it); !ok {
			return false, false
		}
	}
	return m.notify(), true
}

// postOnce lists a message that has one node, if it is not listed already.
func (m *mailbox) postOnce(c *messages.Control) {
	if !c.Queued.Swap(true) {
		if _, ok := m.post(&c.Item); !ok {
			c.Queued.Store(false)
		}
	}
}

// notify sees to it that a turn begins after this call, or runs one.
func (m *mailbox) notify() (ran bool) {
	for {
		switch s := m.status.Load(); s {
		case idle, quiet, wake:
			if m.status.CompareAndSwap(s, busy) {
				m.turn(inlineTurns)
				return true
			}
		case busy:
			if m.status.CompareAndSwap(busy, again) {
				return false
			}
		default:
			return false
		}
	}
}

// look is the duty of a woken worker: notice what was pushed meanwhile.
func (m *mailbox) look() {
	for {
		switch m.status.Load() {
		case wake:
			if m.status.CompareAndSwap(wake, idle) {
				if m.waiting() && m.status.CompareAndSwap(idle, busy) {
					m.turn(inlineTurns)
				}
				return
			}
		case busy: // that turn may have looked before the worker said it started
			if m.status.CompareAndSwap(busy, again) {
				return
			}
		default:
			return
		}
	}
}

func (m *mailbox) waiting() bool {
	h := m.head.Load()
	if h == sealed {
		h = m.late.Load()
	}
	return h != nil && h != sealed
}
