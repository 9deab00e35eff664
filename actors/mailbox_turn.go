package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/messages"
)

// turn runs the owner until nothing is listed, or until the budget is used up:
// then the dispatcher goes on.
func (m *mailbox) turn(budget int) {
	for {
		m.run()
		next := m.rest()
		if m.status.CompareAndSwap(busy, next) {
			// Who pushed while this turn was busy relied on this look.
			if next != idle || !m.waiting() || !m.status.CompareAndSwap(idle, busy) {
				return
			}
		} else {
			m.status.Store(busy) // it was again
		}
		if budget--; budget == 0 {
			m.dispatcher.Schedule(m.turnFn)
			return
		}
	}
}

func (m *mailbox) run() {
	defer func() {
		if r := recover(); r != nil {
			if invariants.Enabled {
				panic(r) // a bug of the engine: loud in tests, supervised elsewhere
			}
			m.invoker.EscalateFailure(r, nil)
		}
	}()
	if m.system.Load() != nil {
		m.runSystem()
	}
	if m.suspended {
		return
	}
	m.batch.first = m.take()
	m.invoker.InvokeUserMessage(&m.batch)
}

// take empties the list and turns it round: oldest first, linked both ways.
func (m *mailbox) take() (first *messages.Item) {
	it := m.head.Load()
	for it != nil {
		if it == sealed {
			return nil
		}
		if m.head.CompareAndSwap(it, nil) {
			break
		}
		it = m.head.Load()
	}
	for it != nil {
		next := it.Next
		it.Next = first
		if first != nil {
			first.Prev = it
		}
		first = it
		it = next
	}
	return first
}

// seal refuses everything from now on, and gives what was listed.
func (m *mailbox) seal() *messages.Item {
	for {
		first := m.take()
		if m.head.CompareAndSwap(nil, sealed) || m.head.Load() == sealed {
			return first
		}
		// Somebody pushed between: put what we have in front again. Nobody else
		// takes, so a second take has the newer ones.
		if first != nil {
			last := first
			for last.Next != nil {
				last = last.Next
			}
			last.Next = m.seal()
			return first
		}
	}
}

func (m *mailbox) runSystem() {
	for n := reverse(m.system.Swap(nil)); n != nil; n = n.next {
		switch n.msg.(type) {
		case *actor.SuspendMailbox:
			m.suspended = true
		case *actor.ResumeMailbox:
			m.suspended = false
		default:
			m.invoker.InvokeSystemMessage(n.msg)
		}
	}
}
