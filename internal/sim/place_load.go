package sim

import "time"

// placeIssuer issues its items one after the other, keeps its CPU while it has any,
// and gets them back when the device is done with them.
type placeIssuer struct {
	task
	*place
	cache   int
	backlog int
	busy    bool          // an item is being issued
	queued  bool          // runnable or running
	since   time.Duration // it has its CPU
}

// issuer adds one, in the next cache, as threads are spread when they begin; a pinned one
// on the next CPU.
func (p *place) issuer(n int) {
	is := &placeIssuer{place: p, backlog: p.e.Load.Depth}
	x := p.homes[n%len(p.homes)].findIdle()
	if x == nil {
		x = p.cpus[p.rand.IntN(len(p.cpus))]
	}
	if p.e.Load.Pinned {
		x = p.cpus[n%len(p.cpus)]
	}
	is.cache, is.prev, is.next = x.pod, x, is.issue
	is.home = p.homes[is.cache]
	p.load[is.cache]++
	if p.e.Load.Pinned {
		is.home = x.at
	} else {
		is.mover = true
		is.moved = func(x *hardCPU) { is.settle(x.pod) }
	}
	is.wake()
	if is.mover && len(p.homes) > 1 && p.e.Load.Move > 0 {
		is.move()
	}
}

func (is *placeIssuer) wake() {
	if !is.queued {
		is.queued = true
		is.ready(&is.task)
	}
}

// issue ends one item's issuing and begins the next.
func (is *placeIssuer) issue() (time.Duration, bool) {
	if is.busy {
		is.busy = false
		x := is.cpu
		is.pool[x.index].queue(x, is.device)
	} else {
		is.since = is.now
	}
	over := is.backlog > 0 && is.now > is.since && is.now-is.since >= is.e.Load.Slice && is.cpu.at.waited()
	if is.cpu.pod != is.cache || over { // it has moved, or it is the others' turn
		is.after(0, func() { is.ready(&is.task) })
		return 0, false
	}
	if is.backlog == 0 {
		is.queued = false
		return 0, false
	}
	is.backlog--
	is.busy = true
	return is.e.Load.Burst, true
}

// device has an item, once it has run, until its issuer gets it back.
func (is *placeIssuer) device() {
	is.after(is.random(is.e.Load.Device), func() {
		is.backlog++
		is.wake()
	})
}

// move gives the issuer another cache now and then: the one with fewer of two.
func (is *placeIssuer) move() {
	is.after(is.random(is.e.Load.Move), func() {
		a, b := is.rand.IntN(len(is.homes)), is.rand.IntN(len(is.homes))
		is.load[is.cache]--
		if is.load[b] < is.load[a] {
			a = b
		}
		is.load[is.cache]++
		waits := is.queued && is.cpu == nil && is.cache != a && is.home.take(&is.task)
		is.settle(a)
		if waits {
			is.ready(&is.task)
		}
		is.move()
	})
}

// settle has it live in a cache.
func (is *placeIssuer) settle(cache int) {
	is.load[is.cache]--
	is.load[cache]++
	is.cache, is.home = cache, is.homes[cache]
}

func (p *place) random(mean time.Duration) time.Duration {
	return time.Duration(p.rand.ExpFloat64() * float64(mean))
}
