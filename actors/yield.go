package actors

import (
	"runtime"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// yieldAfter is how long a lease must have been for its worker to give way before the
// next: the scheduler's part is then below a hundredth.
const yieldAfter = 150 * time.Microsecond

// giveWay lets other goroutines run between two leases: those that queue work
// would else wait while the workers of a pool, one for each CPU, go from item to
// item. Beside busy goroutines it would cost a time slice each time.
func (p *pool) giveWay(now time.Duration) time.Duration {
	if p.crowd.held(now) {
		return now
	}
	runtime.Gosched()
	back := p.sys.now()
	if back-now > policy.YieldLate {
		p.crowd.until.Store(int64(back + policy.NoYieldFor))
	}
	return back
}
