package actors

import "github.com/cmwq/cmwq/messages"

// arrive lists a run of items for one share, and gives what comes after it.
func (p *pool) arrive(first *messages.Item) *messages.Item {
	s, ok := first.Home.Owner.(*share)
	switch {
	case !ok:
		return p.arriveKeyed(first)
	case s.pol.Retired():
		return p.arriveRetired(s, first, nil)
	}
	epoch := s.pol.Epoch.Now()
	last, n := first, 0
	for it := first; it != nil && it.Home == &s.Home && it.Kind != messages.KindControl; it = it.Next {
		it.Epoch, it.List = epoch, messages.OnWorklist
		last = it
		n++
	}
	rest := last.Next
	p.accept(s, first, last, n)
	return rest
}

// accept lists n items, linked both ways and stamped, for one share.
func (p *pool) accept(s *share, first, last *messages.Item, n int) {
	s.arrived += int64(n)
	s.stamp(first, n)
	p.attach(s)
	active := p.pol.Arrive(&s.pol, n)
	p.activated(s, first, active)
	switch active {
	case n:
		p.list.append(first, last)
	case 0:
		p.hold(s, first, last)
	default:
		cut := first
		for range active - 1 {
			cut = cut.Next
		}
		beyond := cut.Next
		p.list.append(first, cut)
		p.hold(s, beyond, last)
	}
}

func (p *pool) attach(s *share) {
	if !s.attached {
		s.attached = true
		p.shares = append(p.shares, s)
		if s.queue.rescuer != nil {
			p.rescue.reclaim++
		}
	}
}

// hold puts items at the end of the share's inactive list.
func (p *pool) hold(s *share, first, last *messages.Item) {
	s.inactive.append(first, last)
	for it := first; it != nil; it = it.Next {
		it.List = messages.OnInactive
	}
	s.congest()
	p.borrow(s)
}
