package actors

// detach lets a share go whose queue has ended. What came while the queue ended,
// sent by someone who had just been told that it takes work, still runs: it needs
// a slot, and nobody lends any more.
func (p *pool) detach(s *share) {
	s.orphan, s.lends = true, false
	if s.pol.Limit() < 1 {
		s.pol.SetLimit(1)
	}
	p.activate(s)
	p.leave(s)
}

// leave takes an orphan off the pool's list when it has nothing any more, not even
// a worker that was about to begin what was then cancelled.
func (p *pool) leave(s *share) {
	if !s.attached || !s.pol.Idle() || s.pol.Executing() > 0 {
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
