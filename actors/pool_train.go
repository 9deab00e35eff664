package actors

import (
	"slices"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// timedTrains: of so many trains one is measured item by item; of the others it is known
// how long they took together.
const timedTrains = 8

// couple puts items of other shares behind those of a lease that is being filled, of which
// the next item on the worklist is not, and says whether there are any. Items that somebody
// waits for go alone, and so do those of keys, and those that run.
func (p *pool) couple(w *worker, s *share) bool {
	if p.obs != nil || w.flushed != nil || w.box.label.queues {
		return false
	}
	l := &w.lease
	room, ok := p.pol.Room(&s.pol, len(l.Items))
	if !ok {
		return false
	}
	t := &w.train
	for it := p.list.first; it != nil; it = p.list.first {
		of, ok := it.Home.Owner.(*share)
		if !ok || it.List&messages.Awaited != 0 || p.runs(it) != nil || !room.Takes(&of.pol) {
			break
		}
		if len(t.shares) == 0 {
			p.depart(w, s)
		}
		p.list.shift()
		it.List, it.Next = messages.Unlisted, nil
		p.aboard(w, of, it.Epoch)
		l.Items, l.Funcs = append(l.Items, it), append(l.Funcs, it.Func)
	}
	if len(t.shares) == 0 {
		return false
	}
	p.headTaken()
	l.Active = len(l.Items)
	return true
}

// depart makes a train of what a lease has.
func (p *pool) depart(w *worker, s *share) {
	t := &w.train
	t.whole, t.times = true, p.trains%timedTrains == 0
	p.trains++
	p.coupled++
	p.pol.Depart(&w.pol, &s.pol)
	for range w.lease.Items {
		p.aboard(w, s, w.lease.Epoch)
	}
}

func (p *pool) aboard(w *worker, s *share, epoch uint32) {
	t := &w.train
	t.shares, t.epochs = append(t.shares, s), append(t.epochs, epoch)
	p.pol.Couple(&w.pol, &s.pol)
}

// uncouple takes a train apart, if the worker has one: what has ended is counted out, what
// has not begun goes back, and what runs is a lease of one item.
func (p *pool) uncouple(w *worker) {
	t := &w.train
	if !t.whole {
		return
	}
	t.whole = false
	p.coupled--
	l := &w.lease
	slower := 1.0
	var ends []time.Duration
	if w.phase.Load() == phaseDone {
		slower = w.pol.Slower(w.report.Busy)
		ends = t.ends
	}
	rest := l.Retract()
	kept := len(l.Items) - l.Back
	for i, it := range slices.Backward(rest) {
		it.List = messages.OnWorklist
		p.prepend(it)
		p.pol.Uncouple(&w.pol, &t.shares[kept+i].pol)
	}
	ended := max(0, kept-1)
	l.Front, l.Active = uint16(ended), kept
	l.Epoch = t.epochs[ended]
	w.share = t.shares[ended]
	var last time.Duration
	for i, s := range t.shares[:ended] {
		var ran time.Duration
		if i < len(ends) {
			ran = max(1, ends[i]-last)
			last = ends[i]
		}
		p.pol.Passed(&w.pol, &s.pol, slower, ran)
		p.over(s, t.epochs[i])
	}
	p.pol.Single(&w.pol, &w.share.pol)
	if w.parked.first != nil || w.passing.first != nil {
		p.letGo(w)
	}
}

// over sees to what follows from the end of an item in a train.
func (p *pool) over(s *share, in uint32) {
	epoch, empty := s.pol.Epoch.Finish(in, 1)
	s.countFailed()
	if !s.pol.Calm() {
		p.activate(s)
	}
	p.detached(s)
	if empty {
		p.emptied(s, epoch)
	}
}

// uncoupleFor takes trains apart before a message is read that asks what workers are at.
// A worker's note is about that worker, a tick looks for itself, and the others come often.
func (p *pool) uncoupleFor(msg any) {
	switch msg.(type) {
	case *worker, tickMsg, *slots, *messages.WorkerReady:
	default:
		p.uncoupleAll()
	}
}

func (p *pool) uncoupleAll() {
	for _, w := range slices.Backward(p.leased) {
		p.uncouple(w)
	}
}
