package messages

import (
	"fmt"
	"time"
)

// Thread is what the thread of a pinned worker did since it began what it is at: its
// lease, which is as a rule one item.
type Thread struct {
	CPUs   string        `json:"cpus"`      // that it is bound to
	Ran    time.Duration `json:"ran_ns"`    // it had a CPU
	Waited time.Duration `json:"waited_ns"` // it was ready, and others had its CPU
	Ready  bool          `json:"ready"`     // it has a CPU now, or waits for one; otherwise it sleeps
}

// Starved says whether others had the CPU for longer than the thread itself.
func (t *Thread) Starved() bool { return t != nil && t.Waited > t.Ran }

// String is "ran 1ms on CPU 0", or "starved by others: ran 1ms on CPU 0, waited 30ms for it".
func (t *Thread) String() string {
	ran := fmt.Sprintf("ran %v on CPU %s", round(t.Ran), t.CPUs)
	switch {
	case t.Starved():
		return fmt.Sprintf("starved by others: %s, waited %v for it", ran, round(t.Waited))
	case t.Waited > 0:
		return fmt.Sprintf("%s, waited %v for it", ran, round(t.Waited))
	default:
		return ran
	}
}

// round leaves three digits or so.
func round(d time.Duration) time.Duration {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}
