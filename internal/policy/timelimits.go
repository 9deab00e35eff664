package policy

import (
	"math"
	"time"
)

// TimeLimits are how long an item may wait for its turn and then run, and until when it
// may do either: an instant since the system's start. 0 is no limit.
type TimeLimits struct {
	Wait, Run, Until time.Duration
}

// Any says whether there is one.
func (l TimeLimits) Any() bool { return l != TimeLimits{} }

// And are the limits of both: of each the one that is over first.
func (l TimeLimits) And(m TimeLimits) TimeLimits {
	return TimeLimits{sooner(l.Wait, m.Wait), sooner(l.Run, m.Run), sooner(l.Until, m.Until)}
}

func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Turn looks at an item that came to its queue at an instant, and has its turn now:
// how long it waited, and whether that was too long, and then by which Wait; 0 if the
// instant after which it must not begin has come. One that was on its way to the queue
// until now has not waited.
func (l TimeLimits) Turn(came, now time.Duration) (waited, limit time.Duration, late bool) {
	waited = max(0, now-came)
	switch {
	case l.Wait > 0 && waited >= l.Wait:
		return waited, l.Wait, true
	case l.Until != 0 && now >= l.Until:
		return waited, 0, true
	}
	return waited, 0, false
}

// End is when an execution that begins now should be over, and by which Run; that is 0
// if it is Until that comes first. ok is false if it may take any time.
func (l TimeLimits) End(now time.Duration) (end, limit time.Duration, ok bool) {
	if l.Run > 0 {
		end, limit = now+l.Run, l.Run
		if end < now {
			end = math.MaxInt64
		}
	}
	if l.Until != 0 && (end == 0 || l.Until < end) {
		end, limit = l.Until, 0
	}
	return end, limit, end != 0
}

// Patience is how long an item may wait that comes to its queue now, and by which Wait;
// that is 0 if it is Until that comes first. ok is false if it may wait for ever.
func (l TimeLimits) Patience(now time.Duration) (d, limit time.Duration, ok bool) {
	d, limit = l.Wait, l.Wait
	if left := l.Until - now; l.Until != 0 && (d == 0 || left < d) {
		d, limit = max(0, left), 0
	}
	return d, limit, l.Wait > 0 || l.Until != 0
}
