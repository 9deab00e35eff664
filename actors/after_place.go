package actors

import "github.com/cmwq/cmwq/messages"

// arrival is an item that comes to a pool or to the delayer together with those who
// wait for it to end: they must be there before it is, or it might end unseen.
type arrival struct {
	item  *messages.Item
	after []waiter
}

// placeWith is placeFor, for an item that others wait for.
func (q *Queue) placeWith(home *messages.Home, s *share, it *messages.Item, after []waiter) error {
	if len(after) == 0 {
		return q.placeFor(home, s, it)
	}
	to := &s.Home
	if k, ok := home.Owner.(*Keyed); ok {
		l := k.lane(q.table.Load())
		s, to = l.share, &l.Home
	} else if old := it.State(); old&messages.Running != 0 && q.opts.Kind != Ordered {
		if at := q.table.Load().at(old.Runner()); at != nil {
			s, to = at, &at.Home
		}
	}
	for old := it.State(); !it.Swap(old, old.Queued(s.pool.id)); old = it.State() {
	}
	it.Home = to
	s.room.add(1)
	if q.post(s, &arrival{it, after}) {
		return nil
	}
	s.room.add(-1)
	err := q.placeFor(home, s, it)
	if err == nil {
		releaseAll(after, errMoved, nil)
	}
	return err
}

// onArrival lists the item, and who waits for it.
func (p *pool) onArrival(m *arrival) {
	it := m.item
	it.Next, it.Prev = nil, nil
	s := pushedFor(it)
	_, keyed := it.Home.Owner.(*lane)
	passes := s.pol.Retired() || keyed && s.keys.left
	p.arrive(it)
	if passes {
		releaseAll(m.after, errMoved, nil)
		return
	}
	it.List |= messages.Awaited
	p.waits[it] = append(p.waits[it], m.after...)
}

// refuseArrival is that, of a pool that has stopped.
func (p *pool) refuseArrival(m *arrival) {
	if p.ended || pushedFor(m.item).gone {
		p.pass(m.item)
		releaseAll(m.after, errMoved, nil)
		return
	}
	p.sys.drop(m.item, messages.ErrStopped)
	releaseAll(m.after, messages.ErrStopped, nil)
}
