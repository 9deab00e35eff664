package load

import (
	"sync"
	"sync/atomic"
	"time"
)

// spin uses the CPU for d: so many rounds of a loop as take d on a quiet machine,
// whatever the clock says meanwhile.
func spin(d time.Duration) { spun.Store(iterate(uint64(float64(d) * perNs()))) }

var spun atomic.Uint64

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

// perNs is how many rounds a nanosecond has.
var perNs = sync.OnceValue(func() float64 {
	best := 0.0
	for range 50 {
		const n = 1_000_000
		t := time.Now()
		spun.Store(iterate(n))
		best = max(best, n/float64(time.Since(t)))
	}
	return best
})

// busy starts k goroutines that keep the CPUs busy and have nothing to do with the
// system that is measured.
func busy(k int) (stop func()) {
	var done atomic.Bool
	var all sync.WaitGroup
	for range k {
		all.Go(func() {
			for !done.Load() {
				spin(50 * time.Microsecond)
			}
		})
	}
	return func() { done.Store(true); all.Wait() }
}
