package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// age widens the pool when what waits is too old and too little gets done.
func (p *pool) age() {
	now := p.sys.now()
	first := time.Duration(p.mb.since.Swap(0))
	steps := p.pol.Aged(now, first)
	if steps == 0 {
		return
	}
	p.observe(now)
	p.takeBackAll(p.pol.Grow(now, steps))
	p.grant()
}

func (p *pool) onTick() {
	p.armed = false
	p.tick.Queued.Store(false)
	now := p.sys.now()
	p.crowd.ticked(now)
	p.sys.lookAtProcs(now)
	p.noticeBlocks(now)
	p.observe(now)
	var g policy.Gauges
	if p.pol.Waiting() > 0 {
		g = p.sys.source.Gauges()
	}
	t := p.pol.Tick(now, g, p.sys.opts.HogThreshold)
	p.takeBackAll(t.Back)
	p.assumedAsleep(t.Back[:t.Asleep])
	if t.Hogs > 0 {
		p.reportHogs(t.Back[t.Asleep:][:t.Hogs])
	}
}

// observe tells policy how far the counted workers are.
func (p *pool) observe(now time.Duration) {
	for _, c := range p.pol.Counted() {
		w := p.workers[c.ID]
		l := &w.lease
		taken, end := l.Progress()
		if t := &p.workers[c.ID].train; t.whole && taken > 0 {
			c.At(&t.shares[taken-1].pol)
		}
		c.Observe(l.Seq, taken, end, time.Duration(l.Started()), now)
		if w.thread != nil {
			w.clocks(now)
		}
	}
}
