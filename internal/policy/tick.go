package policy

import "time"

// Gauges are the scheduler's numbers of this process, less the tick itself.
type Gauges struct {
	Running  int  // goroutines on a CPU
	Runnable int  // goroutines that wait for a CPU
	Procs    int  // GOMAXPROCS
	Valid    bool // false: the numbers are not to be had
}

// Ticked is what a tick found. The shell returns the unstarted rest of every
// worker in Back to the lists (Return), and then activates.
type Ticked struct {
	Back   []*Worker // each once: those assumed asleep, then hogs, then old leases
	Hogs   int       // declared CPU-intensive by this tick
	Asleep int       // assumed asleep by this tick
}

// Tick looks for workers that hold work up without saying so. The shell tells
// what each counted worker does (Observe) before.
//
// An idle list of waiting items ends it at once. Managed and per-CPU pools
// assume workers asleep while the process has CPU to spare, and declare hogs;
// unbound pools only stop counting workers that stay on one item.
func (p *Pool) Tick(now time.Duration, g Gauges, hog time.Duration) Ticked {
	var t Ticked
	p.glance(now)
	p.out = p.out[:0]
	tails := p.needTick
	p.needTick = false
	if p.waiting > 0 {
		switch p.kind {
		case BH: // its runner is not one of several
		case Unbound:
			p.letGo(now)
		default:
			t.Asleep = p.assumeAsleep(now, g)
			t.Hogs = p.declareHogs(now, g, hog)
		}
	}
	if tails {
		p.tails(now) // of those that are still counted
	}
	t.Back = p.out
	return t
}

// longest gives the counted worker that has been on one item the longest, if
// that is at least d.
func (p *Pool) longest(now, d time.Duration) (best *Worker) {
	for _, w := range p.counted {
		if w.started && now-w.since >= d && (best == nil || w.since < best.since) {
			best = w
		}
	}
	return best
}

// declareHogs takes every worker that has been on the CPU for the threshold out
// of the count. Wall time stands for CPU time, stretched by how many others
// wait for a CPU; pinned workers have the clock of their thread. A threshold of 0 turns
// it off.
func (p *Pool) declareHogs(now time.Duration, g Gauges, threshold time.Duration) (n int) {
	if threshold <= 0 {
		return 0
	}
	wall := threshold
	if g.Valid && g.Procs > 0 {
		wall += threshold * time.Duration(g.Runnable) / time.Duration(g.Procs)
	}
	for w := p.hogging(now, wall, threshold); w != nil; w = p.hogging(now, wall, threshold) {
		w.hog = true
		w.share.Stats.Seldom().CPUIntensive++
		p.leaves(w)
		p.out = append(p.out, w)
		n++
	}
	return n
}

// letGo stops counting workers that stay on one item: an unbound pool manages
// nothing, it only wants to know which of its workers return soon.
func (p *Pool) letGo(now time.Duration) {
	for w := p.longest(now, StuckAge); w != nil; w = p.longest(now, StuckAge) {
		w.hog = true
		p.uncount(w)
		p.out = append(p.out, w)
	}
}

// tails gives back the rests of leases that have been out too long. One whose
// worker has not come to start it stays whole: taken back it would be granted
// again, to a worker that waits for a CPU as long, and so on for ever.
func (p *Pool) tails(now time.Duration) {
	for _, w := range p.counted {
		if !w.hasTail() && !w.behind() || w.chain != nil {
			continue
		}
		if w.started && now-w.startAt > TailAge {
			p.out = append(p.out, w)
		} else {
			p.needTick = true
		}
	}
}
