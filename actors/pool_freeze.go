package actors

// freeze takes the slots from a share's new items. What rides in leases was never
// active, and comes back.
func (p *pool) freeze(m *freezeShare) {
	s := m.share
	if s.ended || s.gone {
		m.frost.still() // nobody would thaw it
		return
	}
	s.pol.Freeze()
	for _, w := range p.leased {
		if w.share == s {
			p.takeBack(w)
		}
	}
	s.gets().frost = m.frost
	p.activate(s)
}

// still tells the freeze when nothing of a share is active any more.
func (p *pool) still(s *share) {
	if s.pol.Still() {
		s.rare.frost.still()
		s.rare.frost = nil
	}
}

func (p *pool) thaw(s *share) {
	if s.rare != nil {
		s.rare.frost = nil
	}
	s.pol.Thaw()
	p.activate(s)
	p.lookAgain(s)
}
