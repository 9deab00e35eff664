package policy

import (
	"math"
	"time"
)

// age is the rule that keeps a managed pool alive beside busy goroutines that
// are not its own, where gauges see nothing to spare: if the oldest item has
// waited too long and the pool gets too little CPU done, the width grows.
type age struct {
	pushed, popped int64  // P: items that came onto and left the worklist
	marks          []mark // P: when they came, a stamp a batch
	drained        bool   // P: the list was empty since the last look
	done           time.Duration
	util           float64 // P: CPUs the pool gets, smoothed
	utilAt         time.Duration
	extra          float64 // P: width added
	extraAt        time.Duration
	grewAt         time.Duration
}

// mark: the items up to number end have waited since at, or longer.
type mark struct {
	end int64
	at  time.Duration
}

func (a *age) width() int { return int(a.extra + 0.5) }

// progress counts a finished lease, clipped: a long stall is not progress.
func (a *age) progress(busy time.Duration) { a.done += min(busy, utilClip) }

// Drained tells that nothing waits at the end of a turn: the pool kept up.
func (p *Pool) Drained() {
	p.age.drained = true
	p.age.marks = p.age.marks[:0]
}

// Aged runs at the end of every turn that leaves work waiting. first is when the
// first item came onto the empty list of a pool that was not looking, 0 if now.
// It says by how many steps the width may grow; Grow grows it.
func (p *Pool) Aged(now, first time.Duration) (steps int) {
	if p.kind != Managed {
		return 0
	}
	a := &p.age
	a.stamp(now, first)
	if a.drained {
		a.drained = false
		a.util, a.done, a.utilAt = float64(p.base), 0, now
	}
	if dt := now - a.utilAt; dt > utilSample {
		e := math.Exp(-float64(dt) / float64(utilTau))
		a.util = a.util*e + float64(a.done)/float64(dt)*(1-e)
		a.done, a.utilAt = 0, now
	}
	a.decay(now)
	old := a.oldest(now)
	if old <= ageTarget || a.util >= utilMin*float64(p.base) {
		return 0
	}
	// Several steps at once when turns were late.
	return int(min((now-a.grewAt)/ageStep, old/ageTarget))
}

// Grow doubles the extra width once a step, and gives the workers whose leases
// have been out too long, to be returned. The shell observes them before.
func (p *Pool) Grow(now time.Duration, steps int) (back []*Worker) {
	p.out = p.out[:0]
	p.tails(now)
	a := &p.age
	a.grewAt = now
	for ; steps > 0 && a.extra < ageBound; steps-- {
		a.extra = min(ageBound, a.extra*2+1)
	}
	return p.out
}

// Widened says whether the age rule has added width.
func (p *Pool) Widened() bool { return p.age.extra > 0 }

// Calm has that width go, also while nothing waits: before work is given out.
func (p *Pool) Calm(now time.Duration) { p.age.decay(now) }

// decay has the extra width go. Most pools have none, and look after each lease.
func (a *age) decay(now time.Duration) {
	if a.extra > 0 {
		a.extra *= math.Exp(-float64(now-a.extraAt) / float64(ageDecay))
		if a.extra < 1e-6 {
			a.extra = 0
		}
	}
	a.extraAt = now
}

func (a *age) stamp(now, first time.Duration) {
	if k := len(a.marks); k == 0 || a.marks[k-1].end < a.pushed {
		at := now
		if first > 0 {
			at = first
		}
		if k > 0 && at-a.marks[k-1].at < markMerge {
			a.marks[k-1].end = a.pushed
		} else {
			a.marks = append(a.marks, mark{a.pushed, at})
		}
	}
	i := 0
	for i < len(a.marks) && a.marks[i].end <= a.popped {
		i++
	}
	if i > 0 {
		a.marks = append(a.marks[:0], a.marks[i:]...)
	}
}

func (a *age) oldest(now time.Duration) time.Duration {
	if len(a.marks) == 0 {
		return 0
	}
	return now - a.marks[0].at
}
