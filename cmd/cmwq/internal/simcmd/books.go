package simcmd

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/sim"
)

// books keeps what the table counts beside the events.
type books struct {
	s                          *sim.Scenario
	counts                     []bool // the item's worker counts as runnable
	out                        []bool // it will not count again before its end
	active, activated, running int
}

func newBooks(s *sim.Scenario) *books {
	return &books{s: s, counts: make([]bool, len(s.Items)), out: make([]bool, len(s.Items))}
}

func (b *books) arrived(at time.Duration) (n int) {
	for _, it := range b.s.Items {
		if it.At <= at {
			n++
		}
	}
	return n
}

func (b *books) note(e sim.Event) {
	i := e.Rank
	switch e.Kind {
	case sim.Activate:
		b.active++
		b.activated++
	case sim.Kick:
		b.out[i] = b.s.Kind != policy.Unbound && b.s.Queues[b.s.Items[i].Queue].CPUIntensive
		b.count(i, true)
	case sim.Wake:
		b.count(i, true)
	case sim.Slept:
		b.count(i, false)
	case sim.Asleep, sim.Hog:
		b.count(i, false)
		b.out[i] = true
	case sim.End:
		b.count(i, false)
		b.active--
	case sim.Start, sim.Blocked:
	}
}

func (b *books) count(i int, counts bool) {
	counts = counts && !b.out[i]
	if counts != b.counts[i] {
		b.counts[i] = counts
		if counts {
			b.running++
		} else {
			b.running--
		}
	}
}
