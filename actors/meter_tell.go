package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// copyTimes copies, in the pool's turn, what the shares know of their items' times: all
// into two pieces of memory.
func (a *poolAnswer) copyTimes() {
	n, buckets := 0, 0
	for i := range a.shares {
		if t := a.shares[i].share.has().times; t != nil {
			n++
			buckets += t.wait.Len() + t.run.Len()
		}
	}
	if n == 0 {
		return
	}
	all, arena := make([]times, 0, n), policy.NewArena(buckets)
	for i := range a.shares {
		if t := a.shares[i].share.has().times; t != nil {
			all = append(all, times{arena.Clone(&t.wait), arena.Clone(&t.run)})
			a.shares[i].times = &all[len(all)-1]
		}
	}
}

var quantiles = [...]float64{0.5, 0.9, 0.99, 0.999}

// teller makes distributions of histograms; the buckets of many share their memory.
type teller struct{ buckets []messages.Bucket }

func (l *teller) tell(h *policy.Histogram) messages.Distribution {
	d := messages.Distribution{N: h.N(), Sum: h.Sum(), Mean: h.Mean(), Max: h.Max()}
	var out [len(quantiles)]time.Duration
	h.Quantiles(quantiles[:], out[:])
	d.P50, d.P90, d.P99, d.P999 = out[0], out[1], out[2], out[3]
	n := h.Len()
	if cap(l.buckets)-len(l.buckets) < n {
		l.buckets = make([]messages.Bucket, 0, max(n, 1024))
	}
	from := len(l.buckets)
	for bounds, n := range h.Buckets() {
		l.buckets = append(l.buckets, messages.Bucket{From: bounds[0], To: bounds[1], N: n})
	}
	d.Buckets = l.buckets[from:len(l.buckets):len(l.buckets)]
	return d
}
