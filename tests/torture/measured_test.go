package torture

import (
	"math"

	"github.com/cmwq/cmwq"
)

// measured is the law of what is measured: a wait and a run for each item that has
// ended, or as many of them as one counts for that was chosen.
func (w *world) measured(q *cmwq.QueueSnapshot) {
	if q.Wait.N != q.Run.N {
		w.t.Errorf("queue %s: %d waits, and %d runs", q.Name, q.Wait.N, q.Run.N)
	}
	if !w.monitored {
		if q.Wait.N != 0 {
			w.t.Errorf("queue %s: %d waits, and nobody wants them", q.Name, q.Wait.N)
		}
		return
	}
	if q.Stats.Active > 0 || q.Stats.InFlight > 0 {
		return // what has ended is not known yet
	}
	n := float64(q.Stats.Total)
	slack := n/10 + 6*(512+math.Sqrt(512*n)) // one may count for 512
	if w.grammar != nil {                    // every item is stamped
		slack = 0
	}
	if math.Abs(float64(q.Wait.N-q.Stats.Total)) > slack {
		w.t.Errorf("queue %s: %d were measured, of %d: %+v", q.Name, q.Wait.N, q.Stats.Total, q.Stats)
	}
}
