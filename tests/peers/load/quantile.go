package load

import (
	"math"
	"slices"
	"time"
)

// latencies are the waits of tasks.
type latencies []time.Duration

// quantile is the smallest latency that a share q of all do not exceed. The latencies
// are sorted.
func (l latencies) quantile(q float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	i := int(math.Ceil(q*float64(len(l)))) - 1
	return l[min(max(i, 0), len(l)-1)]
}

// ms gives quantiles in milliseconds.
func (l latencies) ms(qs ...float64) []float64 { return l.in(time.Millisecond, qs) }

// us gives quantiles in microseconds.
func (l latencies) us(qs ...float64) []float64 { return l.in(time.Microsecond, qs) }

func (l latencies) in(unit time.Duration, qs []float64) []float64 {
	slices.Sort(l)
	all := make([]float64, len(qs))
	for i, q := range qs {
		all[i] = float64(l.quantile(q)) / float64(unit)
	}
	return all
}
