package actors

// A question to an actor that rests needs no message: who asks has the turn. It is as
// any other, but for what the owner's Receive would be told.

// enter begins a turn of the caller's, if the owner rests and nothing is listed; what is
// listed goes first. The caller leaves soon, without a wait in between.
func (m *mailbox) enter() bool {
	if m.status.Load() != idle || !m.status.CompareAndSwap(idle, busy) {
		return false
	}
	if m.head.Load() == nil && m.system.empty() && !m.suspended {
		return true
	}
	m.turn(inlineTurns)
	return false
}

// leave ends it, and does what was listed meanwhile.
func (m *mailbox) leave() {
	if !m.status.CompareAndSwap(busy, idle) {
		m.status.Store(busy) // it was again
		m.turn(inlineTurns)
	} else if m.waiting() && m.status.CompareAndSwap(idle, busy) {
		m.turn(inlineTurns)
	}
}
