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
	s.gets().frost = m.frost
	p.halt(s)
}

// halt lets nothing of a frozen share become active.
func (p *pool) halt(s *share) {
	for _, w := range p.leased {
		if w.share == s {
			p.takeBack(w)
		}
	}
	p.activate(s)
}

// still tells the freeze, and the pause, when nothing of a share is active any more.
func (p *pool) still(s *share) {
	if s.pol.Still() {
		s.rested()
	}
}

// rested tells who waits for the share to come to rest.
func (s *share) rested() {
	x := s.has()
	if x.frost != nil {
		x.frost.still()
		x.frost = nil
	}
	if x.pause != nil {
		x.pause.still()
		x.pause = nil
	}
}

func (p *pool) thaw(s *share) {
	if s.rare != nil {
		s.rare.frost = nil
	}
	s.pol.Thaw()
	p.goOn(s)
}

// goOn has what waits become active, as far as there are slots.
func (p *pool) goOn(s *share) {
	p.activate(s)
	p.lookAgain(s)
}
