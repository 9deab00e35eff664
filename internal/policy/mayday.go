package policy

import "slices"

// Maydays is a rescuer's list of those who called for help: the shares of its
// queue, first come first served, one at a time. It belongs to the rescuer.
type Maydays[K comparable] struct {
	waiting []K  // in the order in which they called; each once
	again   []K  // of them, those that it left because others waited
	at      K    // whom it helps now
	helping bool // it helps somebody
}

// Call lists a share, unless it is listed.
func (m *Maydays[K]) Call(who K) {
	if !slices.Contains(m.waiting, who) {
		m.waiting = append(m.waiting, who)
	}
}

// Help is whom a rescuer turns to.
type Help[K comparable] struct {
	Who    K
	Others bool // somebody else waits
	Again  bool // it was here before, and left because others waited
}

// Next gives whom to help now; ok is false if nobody calls, or somebody is being
// helped.
func (m *Maydays[K]) Next() (h Help[K], ok bool) {
	if m.helping || len(m.waiting) == 0 {
		return h, false
	}
	h.Who = m.waiting[0]
	m.waiting = append(m.waiting[:0], m.waiting[1:]...)
	h.Others = len(m.waiting) > 0
	if i := slices.Index(m.again, h.Who); i >= 0 {
		m.again = slices.Delete(m.again, i, i+1)
		h.Again = true
	}
	m.at, m.helping = h.Who, true
	return h, true
}

// Left ends the help. needs says that the pool is short of workers and has more
// for the rescuer: it comes back after the others have had their turn. may says
// that it has more, and may get short again: it comes back if nobody else calls.
func (m *Maydays[K]) Left(needs, may bool) {
	if !m.helping {
		return
	}
	others := len(m.waiting) > 0
	if needs || may && !others {
		if others && !slices.Contains(m.waiting, m.at) {
			m.again = append(m.again, m.at)
		}
		m.Call(m.at)
	}
	var none K
	m.at, m.helping = none, false
}

// Helping says whether somebody is being helped.
func (m *Maydays[K]) Helping() bool { return m.helping }

// Waiting is how many wait, beside the one that is helped.
func (m *Maydays[K]) Waiting() int { return len(m.waiting) }
