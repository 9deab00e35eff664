package actors

import (
	"runtime"
	"time"
)

const (
	// yieldAfter is how long a lease must have been for its worker to give way
	// before the next: the scheduler's part is then below a hundredth.
	yieldAfter = 150 * time.Microsecond
	// slowYield is how long a worker that gave way may wait. If it was longer,
	// goroutines that do not give way themselves have the CPUs,
	slowYield = time.Millisecond
	// and the pool's workers keep theirs for so long.
	yieldPause = time.Second
)

// giveWay lets other goroutines run between two leases: those that queue work
// would else wait while the workers of a pool, one for each CPU, go from item to
// item. Beside busy goroutines it would cost a time slice each time.
func (p *pool) giveWay(now time.Duration) time.Duration {
	if int64(now) < p.noYield.Load() {
		return now
	}
	runtime.Gosched()
	back := p.sys.now()
	if back-now > slowYield {
		p.noYield.Store(int64(back + yieldPause))
	}
	return back
}
