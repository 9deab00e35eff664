package measure

import (
	"sync"
	"sync/atomic"
	"time"
)

// burnFor uses so much CPU, whatever the clock says meanwhile.
func burnFor(d time.Duration) { burned.Store(iterate(uint64(float64(d) * perNs()))) }

var burned atomic.Uint64 // so that the work is not optimised away

//go:noinline
func iterate(n uint64) uint64 {
	x := n | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// perNs is how many turns of the loop this machine does in a nanosecond when nobody
// disturbs it.
var perNs = sync.OnceValue(func() (best float64) {
	const n = 1_000_000
	for range 20 {
		t := time.Now()
		burned.Store(iterate(n))
		best = max(best, n/float64(time.Since(t)))
	}
	return best
})
