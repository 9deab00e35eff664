package actors

// holdsQueue says what holds up the end of all that a share has up to a flush epoch,
// or of all it has: the workers that run some of it, or with which some is parked. Of
// an epoch some may need a slot, and items of later epochs have it: a queue's pools
// lend them to each other, and an item that was held for its key stands last when its
// turn has come.
func (p *pool) holdsQueue(a *holdsAsk) (h holds) {
	s := a.share
	h.who = s.queue.party()
	meant := func(of *share, epoch uint32) bool { return of == s && (a.all || upTo(epoch, a.epoch)) }
	begun := 0 // of what is meant, in leases or parked
	for _, w := range p.leased {
		runs := w.holding() && meant(w.share, w.lease.Epoch)
		if runs {
			begun += w.lease.Own()
		}
		for it := w.parked.first; it != nil; it = it.Next {
			if meant(home(it), it.Epoch) {
				runs = true
				begun++
			}
		}
		if runs {
			h.by = append(h.by, holder{w: w, q: w.share.queue})
		}
	}
	for it := p.abroad.first; it != nil; it = it.Next {
		if meant(home(it), it.Epoch) {
			h.by = append(h.by, holder{abroad: it})
			begun++
		}
	}
	if !a.all && s.wants(a.epoch, begun) {
		p.wantSlot(s, &h)
	}
	return h
}

// wants says whether an item up to an epoch has no slot, given how many have begun.
// Beside those a share counts what is on the worklist, and what it passes on when it
// is retired.
func (s *share) wants(epoch uint32, begun int) bool {
	if !s.pol.Retired() && !s.has().keys.left && s.pol.Waiting() == 0 {
		return s.pol.Epoch.UpTo(epoch) > begun
	}
	for it := s.inactive.first; it != nil; it = it.Next {
		if upTo(it.Epoch, epoch) {
			return true
		}
	}
	for _, c := range s.has().keys.chains {
		if it := c.held.first; it != nil && upTo(it.Epoch, epoch) {
			return true
		}
	}
	return false
}
