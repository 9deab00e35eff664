package policy

import (
	"math"
	"time"
)

// CatchUp says what becomes of an instant at which a periodic item cannot start.
type CatchUp uint8

const (
	// Skip misses it: an item that still waits or runs is left alone.
	Skip CatchUp = iota
	// Once makes up for any number of them by one run, right after the present one.
	Once
	// All makes up for each by a run, one after the other.
	All
)

// Rule says when a series has its instants. Its time may be of any clock.
type Rule interface {
	// Pass counts the instants from due, which is one, up to now, and gives the
	// first that it did not count; more is false if there is none.
	Pass(due, now time.Duration) (n int, next time.Duration, more bool)
}

// Series is the decision state of a periodic item: when it is due, and whether it is
// to be queued then. Instants follow from the rule alone, never from when the last
// run began or ended: a series does not drift.
//
// Every instant up to the last Fire is accounted for: Runs + Missed + Owed.
type Series struct {
	rule    Rule          // I:
	catchUp CatchUp       // I:
	jitter  time.Duration // I: an instant is delayed by less than this

	due  time.Duration // next instant
	late time.Duration // its delay
	more bool          // there is a next one
	owed int           // instants to make up for

	Runs   int64 // instants for which the item was queued
	Missed int64 // instants for which it was not, and will not be
}

// NewSeries gives a series whose first instant is first; random draws its delay.
func NewSeries(rule Rule, c CatchUp, jitter, first time.Duration, random uint64) *Series {
	s := &Series{rule: rule, catchUp: c, jitter: jitter, due: first, more: true}
	s.draw(random)
	return s
}

func (s *Series) draw(random uint64) {
	s.late = 0
	if s.jitter > 0 {
		s.late = min(time.Duration(random%uint64(s.jitter)), math.MaxInt64-max(0, s.due))
	}
}

// Due is when to Fire; more is false if the rule has no instant left.
func (s *Series) Due() (at time.Duration, more bool) { return s.due + s.late, s.more }

// Owed is the number of instants still to be made up for.
func (s *Series) Owed() int { return s.owed }

// OnlyIdle says that the item may be queued only if it neither waits nor runs. Else
// one that runs may be queued as well: it runs again afterwards.
func (s *Series) OnlyIdle() bool { return s.catchUp == Skip }

// Fire takes in what has come due; a clock that was set back may find that nothing
// has. try says that the item is to be queued, and Queued told how that went.
func (s *Series) Fire(now time.Duration, random uint64) (try bool) {
	if !s.more || now < s.due+s.late {
		return false
	}
	n, next, more := s.rule.Pass(s.due, now)
	s.due, s.more = next, more
	s.draw(random)
	if s.catchUp == All {
		s.owed += n
	} else {
		s.Missed += int64(n - 1) // the newest stands for all
	}
	return true
}

// Again says whether the item is to be queued once more, now that a run has ended.
func (s *Series) Again() (try bool) { return s.owed > 0 }

// Queued says whether the item could be queued.
func (s *Series) Queued(ok bool) {
	switch {
	case ok:
		s.Runs++
		s.owed = max(0, s.owed-1)
	case s.catchUp != All:
		s.Missed++
	}
}
