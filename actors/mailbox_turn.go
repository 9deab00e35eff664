package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/messages"
)

// turn runs the owner until nothing is listed, or until the budget is used up:
// then the dispatcher goes on.
func (m *mailbox) turn(budget int) {
	for {
		m.run()
		next, suspended := m.rest(), m.suspended
		if suspended {
			next = idle // what is listed waits; a system message runs a turn
		}
		if m.status.CompareAndSwap(busy, next) {
			// Who pushed while this turn was busy relied on this look.
			if next != idle || suspended || !m.waiting() || !m.status.CompareAndSwap(idle, busy) {
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
	defer m.caught()
	m.system.deliver(m.invoker, &m.suspended)
	if m.suspended {
		return
	}
	m.batch.first = m.take()
	m.invoker.InvokeUserMessage(&m.batch)
}

// caught escalates a panic of the owner's: it is deferred.
func (m *mailbox) caught() {
	if r := recover(); r != nil {
		if invariants.Enabled {
			invariants.Crash(r) // a bug of the engine: loud in tests, supervised elsewhere
		}
		m.invoker.EscalateFailure(r, nil)
	}
}

// take empties the list and turns it round: oldest first, linked both ways.
func (m *mailbox) take() *messages.Item {
	if m.head.Load() == sealed {
		return take(&m.late)
	}
	return take(&m.head)
}

func take(head *atomic.Pointer[messages.Item]) (first *messages.Item) {
	it := head.Load()
	for it != nil {
		if it == sealed {
			return nil
		}
		if head.CompareAndSwap(it, nil) {
			break
		}
		it = head.Load()
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

// sealItems refuses work items from now on, and gives what was listed; control
// messages still come.
func (m *mailbox) sealItems() *messages.Item { return seal(&m.head) }

// seal refuses everything from now on, and gives what was listed.
func (m *mailbox) seal() *messages.Item {
	first := seal(&m.head)
	return concat(first, seal(&m.late))
}

// seal ends a list. Only its owner takes from it.
func seal(head *atomic.Pointer[messages.Item]) (first *messages.Item) {
	for {
		first = concat(first, take(head))
		if head.CompareAndSwap(nil, sealed) || head.Load() == sealed {
			return first
		}
	}
}

func concat(a, b *messages.Item) *messages.Item {
	if a == nil {
		return b
	}
	last := a
	for last.Next != nil {
		last = last.Next
	}
	if last.Next = b; b != nil {
		b.Prev = last
	}
	return a
}
