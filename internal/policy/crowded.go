package policy

import "time"

const (
	// TickLate is how much later than it was set a tick may come, whatever else the machine
	// does. If it is more, and no lease ended, goroutines that do not give way have the CPUs,
	TickLate = 4 * time.Millisecond
	// and are believed to for so long: the next tick is as late if they do.
	CrowdedFor = 100 * time.Millisecond

	// YieldLate is how long a worker that gave way may wait. If it was more, it is the same,
	YieldLate = time.Millisecond
	// and nobody gives way for so long: a machine that gave no CPU for a moment looks like it,
	NoYieldMin = 16 * time.Millisecond
	// or for so long at most, if it was no accident: to find out more may cost a time slice.
	NoYieldMax = time.Second

	// AsideMax is how many workers may be waiting for a CPU with a lease that was taken back
	// whole before no more are made: each is idle as soon as it has a CPU, and one that is made
	// has none sooner.
	AsideMax = 64
)

// NoYieldFor is for how long nobody gives way after one who did waited too long, now. Before,
// nobody did until then, for that long. What comes back as soon as it is over was not over,
// and is believed for four times as long.
func NoYieldFor(now, until, before time.Duration) time.Duration {
	if now >= until+before {
		return NoYieldMin
	}
	return min(4*before, NoYieldMax)
}

// Crowded says whether a tick that comes so long after it was armed shows that the CPUs are
// held; gap is the longest part of that time in which no lease of the pool ended. Where
// leases end all the time its workers have CPUs: the tick is late because somebody is always
// ready to run, and whoever looks for one that is finds no time to look at timers.
func Crowded(after, gap time.Duration) bool {
	return after > TickPeriod+TickLate && gap > TickLate
}

// Regain is for a worker that is on a CPU and finds nothing to do, where CPUs are held by
// others: it gives the workers that were granted a lease and wait for a CPU to start it,
// behind whoever has them. The shell observes them before, takes their leases back
// (Return), makes room (Emptied), and offers the items again.
func (p *Pool) Regain() (from []*Worker) {
	p.out = p.out[:0]
	if p.kind != Managed {
		return p.out
	}
	for _, w := range p.counted {
		if !w.started && w.end > 0 && w.chain == nil {
			p.out = append(p.out, w)
		}
	}
	return p.out
}

// Emptied makes room for one worker by taking one out of the count whose lease was taken
// back whole: when it has a CPU it has nothing to do, and is done. The others keep their
// place, or workers would be woken for it, or made, that wait as long.
func (p *Pool) Emptied(from []*Worker) {
	for _, w := range from {
		if p.running < p.Width() {
			return
		}
		if w.slots == 0 {
			p.uncount(w)
			w.aside, p.aside = true, p.aside+1
		}
	}
}
