package actors

import (
	"github.com/cmwq/cmwq/messages"
)

// A rescuer runs only its own queue's items, which may be anywhere on the shared
// worklist. So that it looks at no item of others twice, a share keeps a cursor:
// the last item that was passed by. Before the cursor the share has nothing; an
// item that leaves the worklist hands the cursor to the one before it. Unlike the
// kernel's, the cursor is not itself on the list: it is never run, nor left behind.
//
// A scan ends with the share's last item, whose number is known, so it never goes
// on to the list's end in vain.

// collect moves up to n of the share's items from the worklist to the lease.
func (p *pool) collect(w *worker, s *share, n int) (taken int) {
	x := p.startScan(s)
	l := &w.lease
	it := p.list.first
	if x.cursor != nil {
		it = x.cursor.Next
	}
	for left := s.pol.Waiting(); taken < n && left > 0 && it != nil; {
		next := it.Next
		x.scanned++
		switch {
		case home(it) != s:
			x.cursor = it
		case p.runs(it) != nil:
			left--
			p.park(p.runs(it), it)
		case p.elsewhere(it):
			left--
			p.await(it)
		case taken > 0 && (it.Epoch != l.Epoch || keyOf(it) != nil):
			return taken
		default:
			left--
			taken++
			p.unlist(it) // other shares may have their cursor there
			p.pick(w, it)
			if w.flushed != nil || w.chain != nil {
				return taken
			}
		}
		it = next
	}
	return taken
}

// pick puts an item into a worker's lease. One that somebody waits for ends it, and
// one with a key is alone in it.
func (p *pool) pick(w *worker, it *messages.Item) {
	w.lease.Items, w.lease.Funcs = append(w.lease.Items, it), append(w.lease.Funcs, it.Func)
	w.lease.Epoch = it.Epoch
	if w.chain = keyOf(it); w.chain != nil {
		w.chain.first = nil
		it.Home = &w.chain.share.Home // a lease is done as a whole
	}
	if it.List&messages.Awaited != 0 {
		w.flushed, w.flushers = it, p.waits.take(it)
	}
	it.List = messages.Unlisted
}

func (p *pool) startScan(s *share) *shareRare {
	x := s.gets()
	if !x.scanning {
		x.scanning, x.cursor = true, nil
		p.rescue.scans = append(p.rescue.scans, s)
	}
	return x
}

// endScans drops the cursors: the shortage is over.
func (p *pool) endScans() {
	for i, s := range p.rescue.scans {
		s.rare.scanning, s.rare.cursor = false, nil
		p.rescue.scans[i] = nil
	}
	p.rescue.scans = p.rescue.scans[:0]
}

// unlist takes an item off the worklist.
func (p *pool) unlist(it *messages.Item) {
	for _, s := range p.rescue.scans {
		if s.rare.cursor == it {
			s.rare.cursor = it.Prev
		}
	}
	p.list.remove(it)
}

// relist puts an item at the head of the worklist. What a rescuer gives back goes
// where the next look begins, close to where it was.
func (p *pool) relist(w *worker, it *messages.Item) {
	x := home(it).has()
	if x.scanning && w.leaves != nil && x.cursor != nil {
		p.list.insert(x.cursor, it)
		return
	}
	p.prepend(it)
}

// prepend puts an item at the head of the worklist, before any cursor.
func (p *pool) prepend(it *messages.Item) {
	p.list.prepend(it)
	if x := home(it).has(); x.scanning {
		x.cursor = nil
	}
}

// headTaken tells cursors of items that a lease took from the worklist's head.
func (p *pool) headTaken() {
	for _, s := range p.rescue.scans {
		if x := s.rare; x.cursor != nil && x.cursor.List == messages.Unlisted {
			x.cursor = nil
		}
	}
}

// insert puts an item behind one that is listed.
func (l *list) insert(after, it *messages.Item) {
	it.Prev, it.Next = after, after.Next
	if after.Next == nil {
		l.last = it
	} else {
		after.Next.Prev = it
	}
	after.Next = it
}

// leaseRescue gives a rescuer a lease of the share's items.
func (p *pool) leaseRescue(w *worker, s *share) bool {
	w.lease.Empty()
	most, riders := p.pol.RescueSize(&s.pol)
	if s.pacer != nil {
		if most, riders = 1, 0; s.pol.Waiting() == 0 || !p.mayStart(s) {
			return false
		}
	}
	active := p.collect(w, s, most)
	if active == 0 {
		if s.pacer != nil {
			s.pacer.paid = s.pol.Waiting()
		}
		return false
	}
	if active < most || w.flushed != nil || w.chain != nil {
		riders = 0
	}
	riders = p.fill(w, &s.Home, &s.inactive, riders)
	w.lease.Active = active
	p.pol.Rescue(&w.pol, &s.pol, active, riders)
	s.congest()
	w.share, w.active, w.at = s, s.active(&w.lease), len(p.leased)
	p.rescues(w, s)
	p.leased = append(p.leased, w)
	w.phase.Store(phaseRunning)
	w.lease.Woken = false
	w.lease.Grant()
	w.granted.Store(true)
	w.box.PostUserMessage(&w.lease)
	if s.pacer != nil {
		p.activate(s)
	}
	return true
}
