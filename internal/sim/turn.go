package sim

import (
	"fmt"
	"slices"

	"github.com/cmwq/cmwq/internal/policy"
)

// turn is the end of every message: what may start is started, workers are
// asked for, and the tick is armed while it is needed.
func (p *pool) turn() {
	if p.p.Widened() {
		p.p.Calm(p.now)
	}
	p.grant()
	p.want()
	if p.p.Waiting() == 0 {
		p.p.Drained()
	} else if steps := p.p.Aged(p.now, 0); steps > 0 {
		p.observe()
		for _, w := range p.p.Grow(p.now, steps) {
			p.takeBack(p.workers[w])
		}
		p.grant()
		p.want() // the wider pool may lack workers
	}
	if p.p.NeedTick() && !p.armed {
		p.armed = true
		p.after(policy.TickPeriod, p.tick)
	}
	p.check()
}

func (p *pool) grant() {
	for len(p.worklist) > 0 {
		q := p.worklist[0].q
		o, ok := p.p.Offer(q.s)
		if !ok {
			return
		}
		active, riders := p.head(q, o.Active), 0
		if active == o.Active {
			riders = o.Riders
		}
		p.p.Lease(o.Worker, q.s, active, riders)
		items := slices.Concat(p.worklist[:active], q.inactive[:riders])
		p.worklist, q.inactive = p.worklist[active:], q.inactive[riders:]
		p.workers[o.Worker].lease(items, active)
	}
}

// head counts the items at the worklist's head, up to n, that are of one queue.
func (p *pool) head(q *queue, n int) (k int) {
	for k < n && p.worklist[k].q == q {
		k++
	}
	return k
}

func (p *pool) want() {
	if n := p.p.WorkersWanted(); n > 0 {
		p.after(p.create, func() { p.created(n) })
	}
}

func (p *pool) observe() {
	for _, w := range p.p.Counted() {
		p.workers[w].observe()
	}
}

func (p *pool) tick() {
	p.armed = false
	p.observe()
	g := policy.Gauges{Running: p.running(), Runnable: p.runnable(), Procs: len(p.cpu), Valid: !p.noGauges}
	t := p.p.Tick(p.now, g, p.hog)
	for i, w := range t.Back {
		switch it := p.workers[w].running; {
		case it == nil:
		case i < t.Asleep:
			p.emit(it, Asleep)
		case i < t.Asleep+t.Hogs:
			p.emit(it, Hog)
		}
		p.takeBack(p.workers[w])
	}
	p.turn()
}

// check keeps the first invariant that broke, and when queues were congested.
func (p *pool) check() {
	shares := make([]*policy.Share, 0, len(p.queues))
	for _, q := range p.queues {
		shares = append(shares, q.s)
		switch congested := q.s.Congested(); {
		case congested && q.since == 0:
			q.since = p.now
		case !congested && q.since > 0:
			if p.now > q.since {
				q.spans = append(q.spans, Span{q.since - boot, p.now - boot})
			}
			q.since = 0
		}
	}
	err := p.p.Verify(shares...)
	if err == nil && len(p.worklist) != p.p.Waiting() {
		err = fmt.Errorf("worklist: %d items, %d counted", len(p.worklist), p.p.Waiting())
	}
	if err == nil && len(p.worklist) > 0 {
		if _, ok := p.p.Offer(p.worklist[0].q.s); ok {
			err = fmt.Errorf("%s could start, and does not", p.worklist[0].Name)
		}
	}
	if err != nil && p.trace.Err == nil {
		p.trace.Err = fmt.Errorf("at %v: %w", p.now-boot, err)
	}
}
