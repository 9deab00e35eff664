package actors

// detach is told when a share's queue has ended. A Queue that passed the check of
// the queue's flags just before may still list an item: it runs, and its share
// leaves the pool with it. Slots are nobody's to lend then: the share keeps one.
func (p *pool) detach(s *share) {
	s.ended = true
	s.pol.Thaw()
	if s.borrows {
		s.borrows = false
		s.pol.Own(1)
	}
	p.activate(s)
	p.detached(s)
}

// detached takes a share whose queue has ended out of the pool's list once it has
// nothing left, not even a lease that was taken back whole.
func (p *pool) detached(s *share) {
	if !s.ended && !s.gone || !s.attached || !s.pol.Idle() || s.pol.Executing() > 0 {
		return
	}
	for i, x := range p.shares {
		if x == s {
			p.shares = append(p.shares[:i], p.shares[i+1:]...)
			s.attached = false
			if s.queue.rescuer != nil {
				p.rescue.reclaim--
			}
			return
		}
	}
}
