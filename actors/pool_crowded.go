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
	until   atomic.Int64  // A: the CPUs count as held
	armedAt time.Duration // P: when the ticker was armed
	onCPU   *worker       // P: of this turn: is on a CPU, and idle unless it gets something; nil for none
	now     time.Duration // P: if so
}

// lateness learns from when a tick came.
func (p *pool) lateness(now time.Duration) {
	if now-p.crowd.armedAt > policy.TickPeriod+policy.TickLate {
		p.crowd.until.Store(int64(now + policy.CrowdedFor))
	}
}

func (c *crowd) held(now time.Duration) bool { return int64(now) < c.until.Load() }

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
