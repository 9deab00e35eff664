package policy

import "fmt"

// Verify says which invariant of the pool is broken at the end of a turn, or
// nil. It is for tests and for builds with the internal checks on. Sums over
// shares are checked if all shares of the pool are given.
func (p *Pool) Verify(shares ...*Share) error {
	v := p.verifyStep(shares)
	v.check(p.creating > 0 || len(p.idle) > 0 || p.aside >= AsideMax, p.NeedMoreWorker() && (p.kind != Fixed || p.workers == 0),
		"liveness: %d wait, %d of %d run, nobody is idle or asked for", p.waiting, p.running, p.Width())
	for _, s := range shares {
		v.check(s.free() == 0, s.inactive > 0, "share: %d slots free, %d items inactive", s.free(), s.inactive)
		v.check(!s.Idle(), s.held > 0, "share: %d items are held behind nothing", s.held)
	}
	p.verifyTrains(v, shares)
	return v.err
}

// verifyStep checks what holds after every step, also within a turn.
func (p *Pool) verifyStep(shares []*Share) *violation {
	v := new(violation)
	p.verifyCounts(v)
	for i, w := range p.counted {
		v.check(w.counted && w.slot == i, true, "worker %d: not the counted worker it should be", w.ID)
		v.check(w.share != nil, true, "worker %d: counted without a lease", w.ID)
		v.check(w.era == p.era, true, "worker %d: counted, though its CPU was down since its lease began", w.ID)
		v.check(!w.sleeping && !w.hog && !w.assumed && !w.intensive && !w.rescuer, true, "worker %d: counted, and out of the count", w.ID)
	}
	for _, w := range p.idle {
		v.check(w.share == nil && w.slots == 0 && w.coupled == 0 && !w.rescuer, true, "worker %d: idle with a lease, or a rescuer", w.ID)
		v.check(!w.counted && !w.sleeping && !w.hog && !w.assumed && !w.intensive, true, "worker %d: idle, but not at rest", w.ID)
	}
	if p.kind == BH {
		v.check(p.workers <= 1 && p.creating == 0 && !p.NeedTick(), true, "bh: %d runners, %d asked for", p.workers, p.creating)
	}
	if len(shares) > 0 {
		p.verifySums(v, shares)
	}
	return v
}

func (p *Pool) verifyCounts(v *violation) {
	busy := p.workers - len(p.idle)
	v.check(p.waiting >= 0 && p.creating >= 0 && busy >= 0 && p.rescuers >= 0, true,
		"pool: %d waiting, %d creating, %d busy, %d rescuers", p.waiting, p.creating, busy, p.rescuers)
	v.check(p.running == len(p.counted), true, "pool: running %d, counted %d", p.running, len(p.counted))
	v.check(p.running == 0, p.down, "pool: running %d, and its CPU is down", p.running)
	v.check(p.aside >= 0 && p.aside <= busy-p.running, true, "pool: %d aside, %d busy and not running", p.aside, busy-p.running)
	v.check(p.running <= busy, true, "pool: running %d of %d busy", p.running, busy)
	v.check(p.culling, p.tooMany(), "pool: %d idle beside %d busy, and no idle timer", len(p.idle), busy)
	v.check(p.age.pushed-p.age.popped == int64(p.waiting), true,
		"age: %d pushed, %d popped, %d waiting", p.age.pushed, p.age.popped, p.waiting)
	v.check(p.learnt.blocked >= 0 && p.learnt.blocked <= busy-p.running, true,
		"learnt: %d assumed asleep, %d busy and not running", p.learnt.blocked, busy-p.running)
}

func (p *Pool) verifySums(v *violation, shares []*Share) {
	waiting, leased := 0, 0
	for _, s := range shares {
		s.verify(v)
		waiting += s.waiting
		leased += s.leased
	}
	v.check(waiting == p.waiting, true, "pool: %d waiting, its shares %d", p.waiting, waiting)
	v.check(leased == p.workers-len(p.idle)+p.rescuers-p.trains, true,
		"pool: %d busy, %d rescuers, %d trains, its shares lease %d", p.workers-len(p.idle), p.rescuers, p.trains, leased)
}

func (s *Share) verify(v *violation) {
	v.check(s.active >= 0 && s.waiting >= 0 && s.coupled >= 0 && s.inactive >= 0 && s.held >= 0 && s.leased >= 0 && s.slots >= 0 && s.parked >= 0, true,
		"share: a count is negative: %+v", *s)
	v.check(s.recall >= 0 && s.recall <= s.limit, true, "share: %d of %d slots recalled", s.recall, s.limit)
	v.check(s.active == s.waiting+s.slots+s.parked+s.coupled, true,
		"share: active %d, waiting %d, leased slots %d, parked %d, in trains %d", s.active, s.waiting, s.slots, s.parked, s.coupled)
	v.check(s.leased > 0, s.slots > 0, "share: %d slots leased to nobody", s.slots)
	pending := s.waiting + s.inactive + s.parked + s.held
	v.check(s.Epoch.Unfinished() >= pending, true, "share: %d unfinished, %d of them pending", s.Epoch.Unfinished(), pending)
}

// violation keeps the first broken invariant.
type violation struct{ err error }

// check: ok must hold if the condition does.
func (v *violation) check(ok, condition bool, format string, args ...any) {
	if condition && !ok && v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}
