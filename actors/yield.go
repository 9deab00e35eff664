package actors

import (
	"runtime"
	"time"
)

// yieldAfter is how long a lease must have been for its worker to give way before the
// next: the scheduler's part is then below a hundredth.
const yieldAfter = 150 * time.Microsecond

// giveWay lets other goroutines run between two leases: those that queue work
// would else wait while the workers of a pool, one for each CPU, go from item to
// item. Beside busy goroutines it would cost a time slice each time.
func (p *pool) giveWay(now time.Duration) time.Duration {
	if !p.crowd.yields(now) {
		return now
	}
	runtime.Gosched()
	back := p.sys.now()
	p.crowd.gaveWay(now, back)
	return back
}
