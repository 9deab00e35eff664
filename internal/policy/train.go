package policy

import "time"

// A train is a lease of several shares. Where the items of many queues stand on the
// worklist in turn, a lease of one share holds one item, and costs ten times what that
// does. So items that are known to be short, of shares that ask for nothing special, are
// leased together, in the order of the worklist.
//
// What is known of a train, and what its items hold, is each share's own: active slots,
// numbers, epochs. Before anybody asks what its worker is at, before it leaves the count,
// and when it is done, a train is taken apart: what has ended is counted out of each share,
// what has not begun goes back to the worklist, and the item that runs is a lease of one
// share as any other. So nothing but that knows of trains.
//
// Invariants: the worker of a train counts as running; active = waiting + parked + slots of
// leases + items in trains.

// Room is what a lease has left for items of other shares.
type Room struct {
	items int
	time  time.Duration
}

// Plain says that nothing about the share's items is special, ever.
func (s *Share) Plain() { s.plain = true }

// Calm says whether a slot that is free now changes nothing for the share: nothing waits for
// one, nobody wants one back, and nobody waits for the share to come to rest.
func (s *Share) Calm() bool {
	return s.inactive == 0 && s.recall == 0 && !s.borrowed && !s.frozen && !s.retired
}

// couples says whether the next so many of the share's items on the worklist may be in a
// train. Riders would be left behind; but they can only come with the last that waits.
func (s *Share) couples(n int) bool {
	return s.plain && s.short() && (s.inactive == 0 || s.waiting > n) && !s.frozen && !s.paced && !s.retired
}

// Room says what room is left behind items that were taken for a lease of the share, and
// are not recorded yet. The whole is as long as a lease may be, and no more than a
// worker's part of what waits.
func (p *Pool) Room(s *Share, taken int) (r Room, ok bool) {
	if p.kind == BH || p.kind == Fixed || p.down || !s.couples(taken) {
		return r, false
	}
	r.items = p.part() - taken
	r.time = LeaseTarget - time.Duration(taken)*s.item
	return r, r.items > 0 && r.time > 0
}

// part is each free slot's part of what waits.
func (p *Pool) part() int {
	free := p.Width() - p.running
	if p.kind == Unbound {
		free = max(1, len(p.idle))
	}
	return min(LeaseMax, (p.waiting+free-1)/free)
}

// Takes says whether there is room for an item of the share, and uses it.
func (r *Room) Takes(s *Share) bool {
	if r.items == 0 || s.item > r.time || !s.couples(1) {
		return false
	}
	r.items--
	r.time -= s.item
	return true
}

// Depart records that the offer's worker was given a train. Couple follows for each item.
func (p *Pool) Depart(w *Worker, s *Share) {
	p.idle = p.idle[:len(p.idle)-1]
	p.dog.progress++
	p.trains++
	w.share, w.slots = s, 0
	w.intensive, w.awoke, w.era = false, false, p.era
	p.count(w)
	p.needTick = true
}

// Couple moves an active item of the share from the worklist's head to a train.
func (p *Pool) Couple(w *Worker, s *Share) {
	s.waiting--
	s.coupled++
	p.waiting--
	p.age.popped++
	w.coupled++
	w.expect += s.item
}

// At tells whose item the worker of a train is at.
func (w *Worker) At(s *Share) { w.share = s }

// Slower is how much longer than expected the items of a train took, which took so long,
// once it is done.
func (w *Worker) Slower(busy time.Duration) float64 {
	return float64(max(1, busy)) / float64(max(1, w.expect))
}

// Passed counts out an item of a train that has ended: it ran for so many times of what
// was expected, or for a measured time.
func (p *Pool) Passed(w *Worker, s *Share, slower float64, measured time.Duration) {
	s.coupled--
	w.coupled--
	s.active--
	ran := measured
	if ran > 0 {
		s.learn(1, ran)
	} else {
		ran = time.Duration(float64(s.item) * slower)
	}
	s.Stats.Completed++
	s.Stats.CPUTime += ran
	w.paid += ran
}

// Uncouple moves an item of a train that was not begun back to the worklist's head.
func (p *Pool) Uncouple(w *Worker, s *Share) {
	s.coupled--
	w.coupled--
	s.waiting++
	p.waiting++
	p.age.popped--
}

// Single ends a train: what is left is the item that runs, a lease of the share; or an
// empty one, if nothing has begun.
func (p *Pool) Single(w *Worker, s *Share) {
	p.trains--
	w.share, w.slots = s, w.coupled
	s.coupled -= w.coupled
	s.slots += w.coupled
	s.leased++
	w.coupled, w.expect = 0, 0
	w.end = w.taken
}

// behind says whether items of a train have ended and are not counted out.
func (w *Worker) behind() bool { return w.coupled > 0 && w.taken > 1 }

// verifyTrains checks at the end of a turn what is in trains: their workers count.
func (p *Pool) verifyTrains(v *violation, shares []*Share) {
	trains, items := 0, 0
	for _, w := range p.counted {
		if w.coupled > 0 {
			trains++
			items += w.coupled
		}
	}
	v.check(trains == p.trains, true, "pool: %d trains, %d with a worker that counts", p.trains, trains)
	for _, s := range shares {
		items -= s.coupled
	}
	v.check(items == 0, len(shares) > 0, "pool: its trains have %d items more than its shares", items)
}
