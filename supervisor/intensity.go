package supervisor

import (
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// AtMost asks s about a failure unless there were more than n within the last period,
// that one among them: then it is reported; see Then. All failures of the queue count
// that it is asked about, of whichever item. (Erlang: MaxR restarts in MaxT)
func AtMost(n int, period time.Duration, s Strategy) *Intensity {
	return &Intensity{n: n, period: period, of: s, then: Report()}
}

// Intensity is an AtMost. It is immutable: the queue remembers when items failed, n
// times at most.
type Intensity struct {
	n        int
	period   time.Duration
	of, then Strategy
}

// Then gives one that asks s when there were too many. They are forgotten with that,
// so that the next failure is the first again.
func (i *Intensity) Then(s Strategy) *Intensity {
	next := *i
	next.then = s
	return &next
}

// window is when the last failures were, oldest first, in a ring.
type window struct {
	at    []time.Duration
	first int
}

// tooMany notes a failure and says whether the last n before it were all within the
// period.
func (w *window) tooMany(n int, period, now time.Duration) bool {
	if n == 0 {
		return true
	}
	if len(w.at) < n {
		w.at = append(w.at, now)
		return false
	}
	if oldest := w.at[w.first]; now-oldest < period {
		w.at, w.first = w.at[:0], 0
		return true
	}
	w.at[w.first] = now
	w.first = (w.first + 1) % n
	return false
}

// Decide follows messages.Strategy.
func (i *Intensity) Decide(f Failure, now time.Duration, m *Memory) Action {
	w := m.Of(i, func() any { return new(window) }).(*window)
	if w.tooMany(i.n, i.period, now) {
		return i.then.Decide(f, now, m)
	}
	return i.of.Decide(f, now, m)
}

// maxIntensity is how many failures a queue may be asked to remember.
const maxIntensity = 1 << 20

// Err says what is wrong with it.
func (i *Intensity) Err() error {
	var own error
	if i.n < 0 || i.n > maxIntensity || i.period <= 0 {
		own = fmt.Errorf("%w: AtMost(%d, %v)", messages.ErrOption, i.n, i.period)
	}
	return errors.Join(own, Check(i.of), Check(i.then))
}
