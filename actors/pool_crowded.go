package actors

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// crowd is what a pool knows of goroutines that hold the CPUs and do not give way, its own
// hogs among them. Whoever is woken then may wait a time slice or two of theirs, in a run
// queue behind them.
type crowd struct {
	until   time.Duration // P: the CPUs count as held, because a tick was late,
	noYield atomic.Int64  // A: or because a worker that gave way was: until then nobody does
	before  atomic.Int64  // A: for how long, the last time
	armedAt time.Duration // P: when the ticker was armed
	last    time.Duration // P: when a lease ended since, or then
	gap     time.Duration // P: the longest time since then in which none ended
	onCPU   *worker       // P: of this turn: is on a CPU, and idle unless it gets something; nil for none
	now     time.Duration // P: if so
}

// armed notes that the ticker was, now.
func (c *crowd) armed(now time.Duration) { c.armedAt, c.last, c.gap = now, now, 0 }

// ended notes when a lease did.
func (c *crowd) ended(at time.Duration) { c.gap, c.last = max(c.gap, at-c.last), at }

// ticked learns from when a tick came.
func (c *crowd) ticked(now time.Duration) {
	if policy.Crowded(now-c.armedAt, max(c.gap, now-c.last)) {
		c.until = now + policy.CrowdedFor
	}
}

// gaveWay learns from how long a worker waited that gave way. Of two that learn at once one
// may count for both.
func (c *crowd) gaveWay(from, back time.Duration) {
	if back-from <= policy.YieldLate {
		return
	}
	d := policy.NoYieldFor(back, time.Duration(c.noYield.Load()), time.Duration(c.before.Load()))
	c.before.Store(int64(d))
	c.noYield.Store(int64(back + d))
}

func (c *crowd) yields(now time.Duration) bool { return int64(now) >= c.noYield.Load() }

func (c *crowd) held(now time.Duration) bool { return now < c.until || !c.yields(now) }

// is notes a worker that is on a CPU at this moment.
func (c *crowd) is(w *worker, now time.Duration) { c.onCPU, c.now = w, now }

// regain has a worker that is on a CPU do what was given to others who wait for one: who
// has a CPU has it for a time slice, and what is short is over by then.
func (p *pool) regain(w *worker, now time.Duration) {
	p.crowd.onCPU = nil
	if w.share != nil || len(p.leased) == 0 || !p.crowd.held(now) {
		return
	}
	p.observe(now)
	from := p.pol.Regain()
	if len(from) == 0 {
		return
	}
	p.takeBackAll(from)
	if p.waking != nil && slices.Contains(from, &p.waking.pol) {
		p.waking = nil // it will look at the list when it has a CPU, which is not soon
	}
	p.pol.Emptied(from)
	p.grant()
}
