package policy

import (
	"math"
	"time"
)

// learnt is what a managed pool knows of workers that block without saying so:
// how many are assumed asleep now, and how many of late.
type learnt struct {
	blocked int     // P: assumed asleep now
	expect  float64 // P: blocked of late; grows on need, decays
	at      time.Duration
}

// width: the workers expected to be blocked, beside those known to be.
func (l *learnt) width() int { return max(0, int(l.expect+0.5)-l.blocked) }

func (l *learnt) decay(now time.Duration) {
	dt := min(now-l.at, 20*time.Millisecond) // ticks pause while nothing waits; memory does too
	l.expect *= math.Exp(-float64(dt) / float64(expectDecay))
	l.at = now
}

// assumeAsleep: work waits, yet the process has CPU to spare. Then the workers
// that have been on one item the longest are not on a CPU: they sleep, and are
// out of the count until their lease ends, whatever they do meanwhile.
//
// A managed pool then expects as many to block again. A per-CPU pool assumes one
// a tick and learns nothing.
func (p *Pool) assumeAsleep(now time.Duration, g Gauges) (n int) {
	if !g.Valid {
		return 0
	}
	if p.kind == Managed {
		p.learnt.decay(now)
	}
	busy := g.Running + g.Runnable
	spare := busy <= g.Procs
	if p.kind == PerCPU {
		spare = busy < g.Procs // a burning item alone on its CPU is no sleeper
	}
	if spare && p.running >= p.Width() {
		for w := p.sleeper(now, StuckAge); w != nil; w = p.sleeper(now, StuckAge) {
			p.assume(w)
			n++
			if p.kind == PerCPU {
				return n
			}
			p.learnt.expect = min(expectMax, p.learnt.expect*1.5+1)
		}
	}
	if p.kind != Managed {
		return n
	}
	// CPUs that nothing uses and that no start to come will use.
	unused := g.Procs - busy - max(0, p.Width()-p.running)
	for ; unused > 0; unused-- {
		w := p.sleeper(now, 1)
		if w == nil {
			break
		}
		p.assume(w)
		n++
	}
	return n
}

func (p *Pool) assume(w *Worker) {
	w.assumed = true
	p.learnt.blocked++
	p.learnt.expect = max(p.learnt.expect, float64(p.learnt.blocked))
	p.leaves(w)
	p.out = append(p.out, w)
}
