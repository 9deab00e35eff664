package actors

import "github.com/cmwq/cmwq/messages"

// activate moves what free slots allow onto the worklist, and settles slots with
// the queue.
func (p *pool) activate(s *share) {
	if n := s.pol.Surrender(); n > 0 {
		p.ctx.Send(s.queue.pid, &messages.SlotsReturned{Share: s.id, N: n})
	}
	for range p.pol.Activate(&s.pol) {
		it := s.inactive.shift()
		p.activated(s, it, 1)
		it.List = messages.OnWorklist | it.List&messages.Awaited
		p.list.append(it, it)
	}
	s.congest()
	p.borrow(s)
	if x := s.has(); x.frost != nil || x.pause != nil {
		p.still(s)
	}
}

// slots carries out an order of the queue's ledger; those lent are used before
// others go back.
func (p *pool) slots(m *slots) {
	s := m.share
	if s.ended || s.gone {
		return
	}
	if m.Lend > 0 {
		s.pol.Lend(m.Order)
		p.activate(s)
	}
	if m.Recall > 0 {
		s.pol.Recall(m.Order)
		p.activate(s)
		if s.pol.Owes() {
			p.ctx.Send(s.queue.pid, &messages.SlotsReturned{Share: s.id, N: 0})
		}
	}
}

func (p *pool) borrow(s *share) {
	if !s.borrows {
		return
	}
	if n, tell := s.pol.Borrow(); tell {
		p.ctx.Send(s.queue.pid, &messages.BorrowSlots{Share: s.id, N: n})
	}
}
