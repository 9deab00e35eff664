package actors

import (
	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/policy"
)

// settle ends a turn: give out what may start, and see to it that somebody looks
// again at what may not.
func (p *pool) settle() {
	if p.stopped {
		return
	}
	if p.pol.Recovered() {
		p.relieve()
	}
	if p.pol.Widened() {
		p.pol.Calm(p.sys.now())
	}
	p.grant()
	if w := p.crowd.onCPU; w != nil {
		p.regain(w, p.crowd.now)
	}
	if p.rescue.reclaim > 0 {
		p.watchShortage()
	}
	if len(p.retiring) > 0 {
		p.retireIdle()
	}
	if p.pol.Waiting() == 0 {
		p.pol.Drained()
		if p.mb.since.Load() != 0 {
			p.mb.since.Store(0)
		}
	} else if p.pol.Kind() == policy.Managed {
		p.age()
	}
	if p.pol.Waiting() > 0 && !p.watch.on {
		p.watched()
	}
	if p.closing != nil && p.empty() {
		close(p.closing)
		p.closing = nil
	}
	if p.ending && p.empty() {
		p.end()
	}
	if !p.armed && p.pol.NeedTick() {
		p.armed = true
		p.crowd.armed(p.sys.now())
		p.sys.ticker.arm(p)
	}
	if invariants.Enabled {
		p.verify()
	}
}

// rest says whether pushes need a turn until the next one.
func (p *pool) rest() int32 {
	if p.pol.Kind() == policy.Fixed && len(p.leased) > 0 {
		return quiet // its worker will take what comes, and nobody else could
	}
	if p.armed && (p.pol.Waiting() > 0 || p.pol.Running() >= p.pol.Width()) {
		return quiet // a Done or the tick will read the list
	}
	if p.pol.Kind() == policy.BH && p.pol.Waiting() > 0 {
		return quiet // the runner's Done will
	}
	if p.waking != nil {
		if p.waking.lease.Started() == 0 {
			return wake
		}
		p.waking = nil
	}
	return idle
}
