package policy

import (
	"math"
	"time"
)

// Every is the rule of an interval: due, and every so much after it.
type Every time.Duration

// Pass is arithmetic, however long ago due was.
func (e Every) Pass(due, now time.Duration) (n int, next time.Duration, more bool) {
	d := time.Duration(e)
	late := now - due
	next = now - late%d
	n = int(late/d) + 1
	if next > math.MaxInt64-d {
		return n, next, false
	}
	return n, next + d, true
}

// First is the first instant of an interval that is counted from base. Instants
// before now are none if they are not to be made up for.
func (e Every) First(base, now time.Duration, c CatchUp) time.Duration {
	if base >= now || c != Skip {
		return base
	}
	if _, next, more := e.Pass(base, now-1); more {
		return next
	}
	return math.MaxInt64
}

// Calendar is the rule of a function that gives the first instant after a time, and
// false if there is none.
type Calendar func(after time.Duration) (time.Duration, bool)

// passMost is how many instants of a Calendar are counted in one step: whoever
// comes very late takes several steps, and others get their turn in between.
const passMost = 1000

// Pass asks for one instant after the other. One that is not later than the last
// ends the series.
func (c Calendar) Pass(due, now time.Duration) (n int, next time.Duration, more bool) {
	for next = due; next <= now && n < passMost; n++ {
		after, ok := c(next)
		if !ok || after <= next {
			return n + 1, next, false
		}
		next = after
	}
	return n, next, true
}
