package torture

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
)

// numPlain is how many queues there are that ask for nothing, and whose items are short,
// most of them: items of several are leased together, where nobody measures or observes them.
const numPlain = 6

func init() {
	for i := range numPlain {
		kinds = append(kinds, []kind{
			{name: fmt.Sprint("plain ", i), brief: true},
			{name: fmt.Sprint("plain unbound ", i), brief: true, opts: options{cmwq.Unbound()}},
			{name: fmt.Sprint("plain percpu ", i), brief: true, perCPU: true, opts: options{cmwq.PerCPU()}},
		}...)
	}
}

// weight of a sort for a queue.
func (m *meter) weight(s *sort) int {
	switch {
	case m.bh && s.is&sleeps != 0:
		return 0
	case m.kind.brief && s.name == "short":
		return 30 * s.weight
	}
	return s.weight
}

// unseen says that nobody measures or observes this round.
func (w *world) unseen() bool { return w.seed%6 == 1 }

// trains are operations that have items of many queues wait at once, on CPUs that
// others hold.
var trains = []op{
	{"Go to many in turn", 10, func(w *world, r *rand.Rand) {
		from := r.IntN(3)
		var to []*cmwq.Queue
		for _, p := range w.places {
			if kinds[p.kind].brief && p.kind%3 == from {
				to = append(to, p.now.Load())
			}
		}
		for range 1 + r.IntN(10) {
			for _, q := range to {
				w.queueGo(q, r.Uint64())
			}
		}
	}},
	{"hold a CPU", 1, func(w *world, r *rand.Rand) {
		if w.virtual || holders.Add(1) > 3 {
			holders.Add(-1)
			return
		}
		defer holders.Add(-1)
		for end := time.Now().Add(20 * micros(r, 1000)); time.Now().Before(end); {
		}
	}},
}

// holders are operators who hold a CPU.
var holders atomic.Int32
