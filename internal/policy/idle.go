package policy

import "time"

// TooManyWorkers: are more than two workers idle, and more beyond two than a
// quarter of the busy ones?
func TooManyWorkers(idle, busy int) bool {
	return idle > 2 && (idle-2)*IdleBusyRatio >= busy
}

func (p *Pool) tooMany() bool { return TooManyWorkers(len(p.idle), p.workers-len(p.idle)) }

// enterIdle puts a worker where it is found first. The idle timer is armed when
// there are too many; it is not disarmed by activity, but looked at when it
// expires.
func (p *Pool) enterIdle(w *Worker, now time.Duration) (arm bool) {
	w.idleAt = now
	p.idle = append(p.idle, w)
	if p.culling || !p.tooMany() {
		return false
	}
	p.culling = true
	return true
}

// WorkersWanted says how many workers to ask of the manager now, 0 for none. A
// pool keeps one idle worker at rest, so that a blocking one is replaced at
// once; while a request is outstanding there is no second one. A BH pool has its
// runner and wants nobody. Nobody is wanted, either, while so many come back as soon as they
// have a CPU.
func (p *Pool) WorkersWanted() int {
	if p.creating > 0 || len(p.idle) > 0 || p.kind == BH || p.aside >= AsideMax {
		return 0
	}
	if p.kind == Fixed && p.workers > 0 {
		return 0
	}
	n := 1
	if p.NeedMoreWorker() && p.kind != Unbound && p.kind != Fixed {
		n += min(p.waiting, p.Width()-p.running)
	}
	p.creating = min(n, createMax)
	return p.creating
}

// Created counts in a worker the manager made; it is idle.
func (p *Pool) Created(w *Worker, now time.Duration) (arm bool) {
	p.creating = max(0, p.creating-1)
	p.workers++
	return p.enterIdle(w, now)
}

// CreateFailed ends a request that the manager could not fulfil.
func (p *Pool) CreateFailed() { p.creating = 0 }

// Cull is the idle timer's expiry: it gives the workers to stop, oldest first,
// and after how long to look again (0: the timer is off).
func (p *Pool) Cull(now time.Duration) (stop []*Worker, again time.Duration) {
	p.out = p.out[:0]
	p.culling = false
	for p.tooMany() {
		oldest := p.idle[0]
		if left := oldest.idleAt + IdleTimeout - now; left > 0 {
			p.culling = true
			return p.out, left
		}
		p.idle = append(p.idle[:0], p.idle[1:]...)
		p.workers--
		p.out = append(p.out, oldest)
	}
	return p.out, 0
}
