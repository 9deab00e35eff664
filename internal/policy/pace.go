package policy

import (
	"math"
	"time"
)

// A share whose queue limits how often items start is paced. Its items wait among the
// inactive ones: one at a time becomes active while the gate is open, and takes a token
// when it is leased. If there is none the gate is shut until there is, and the item is
// inactive again: it holds no slot, and stands in nobody's way on the worklist.

// Pace says whether the share is paced. The gate is open.
func (s *Share) Pace(on bool) { s.paced, s.shut = on, false }

// Paced says whether it is.
func (s *Share) Paced() bool { return s.paced }

// Open opens the gate: a token is due.
func (s *Share) Open() { s.shut = false }

// Shut says whether the gate is: nothing becomes active.
func (s *Share) Shut() bool { return s.shut }

// Hush shuts a share's gate and counts its items on the worklist back to the head of its
// inactive list, and says how many that is.
func (p *Pool) Hush(s *Share) (n int) {
	n = s.waiting
	s.shut = true
	s.active -= n
	s.waiting -= n
	s.inactive += n
	p.waiting -= n
	p.age.popped += int64(n)
	return n
}

// pace is how many of n free slots a paced share may use.
func (s *Share) pace(n int) int {
	switch {
	case !s.paced:
		return n
	case s.shut || s.waiting > 0:
		return 0
	}
	return min(n, 1)
}

// TokenSlack is how much of a token may be missing: less than time can tell.
const TokenSlack = 1e-6

// NextToken says how long it takes until there is a token, if tokens of one are there
// and perSecond come in a second; ok is false if none will come.
func NextToken(tokens, perSecond float64) (d time.Duration, ok bool) {
	if tokens >= 1-TokenSlack {
		return 0, true
	}
	ns := math.Ceil((1 - tokens) / perSecond * float64(time.Second))
	if !(ns < float64(math.MaxInt64)) {
		return 0, false
	}
	return time.Duration(ns), true
}
