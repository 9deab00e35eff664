package sim

import "math"

// ready gives a task an idle CPU of its home, or has it wait for one; a worker that
// is not strict is taken to the nearest idle one if that takes too long.
func (p *place) ready(t *task) {
	t.at = p.now
	if x := t.home.findIdle(); x != nil {
		if y := t.prev; y != nil && y.task == nil && t.home.holds(y) && (y.coreIdle() || !x.coreIdle()) {
			x = y // where it was, if that is as good
		}
		p.run(x, t)
		return
	}
	if t.mover && p.rand.Float64() < p.e.Load.Migrate {
		if x := p.root.findIdle(); x != nil {
			t.moved(x)
			p.run(x, t)
			return
		}
	}
	t.home.wait(t)
	if !t.steal {
		return
	}
	at := t.at
	p.after(p.e.Load.Steal, func() {
		if t.at != at || t.cpu != nil {
			return
		}
		for g := t.home; g != nil; g = g.up {
			if x := g.findIdle(); x != nil {
				if t.home.take(t) {
					p.run(x, t)
				}
				return
			}
		}
	})
}

// run starts a task; one that has nothing to do leaves at once.
func (p *place) run(x *hardCPU, t *task) {
	p.hold(x)
	t.cpu = x
	if t.prev != nil {
		t.prev = x
	}
	x.at.free(false)
	x.task = t // next may make other tasks ready
	work, ok := t.next()
	if !ok {
		p.leave(x)
		return
	}
	p.set(x, t, work, p.over)
}

// over asks a task for more when it has done its work.
func (p *place) over(x *hardCPU) {
	t := x.task
	if work, ok := t.next(); ok {
		p.set(x, t, work, p.over)
		return
	}
	p.leave(x)
}

// leave takes a task off its CPU, which takes the next.
func (p *place) leave(x *hardCPU) {
	x.task.cpu = nil
	p.set(x, nil, 0, p.over)
	x.at.free(true)
	if next := p.pick(x.at); next != nil && next.home.take(next) {
		if next.mover {
			next.moved(x)
		}
		p.run(x, next)
	}
}

// pick gives the oldest task that may run on a CPU; if there is none, one of another
// pod that may be taken, from near by first.
func (p *place) pick(x *grove) (oldest *task) {
	for g := x; g != nil; g = g.up {
		if len(g.list) > 0 && (oldest == nil || g.list[0].at < oldest.at) {
			oldest = g.list[0]
		}
	}
	if oldest != nil {
		return oldest
	}
	for g := x; g != nil; g = g.up {
		if t := g.stealable(p.now, p.e.Load.Steal); t != nil {
			return t
		}
	}
	// Each issuer that waits elsewhere has its chance.
	if n := p.root.movable; n > 0 && p.rand.Float64() > math.Pow(1-p.e.Load.Migrate, float64(n)) {
		return p.root.mover()
	}
	return nil
}
