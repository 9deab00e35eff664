package actors

import "github.com/cmwq/cmwq/messages"

// arrival is an item that comes to a pool or to the delayer together with those who
// wait for it to end: they must be there before it is, or it might end unseen.
type arrival struct {
	item  *messages.Item
	after []waiter
}

// placeWith is place, for an item that may have a key, and that others wait for.
func (q *Queue) placeWith(home *messages.Home, s *share, it *messages.Item, after []waiter) (err error) {
	if k, ok := home.Owner.(*Keyed); ok {
		_, err = k.lane(q.table.Load()).put(it, after)
	} else {
		_, err = q.put(s, it, after)
	}
	return err
}

// pushWith is push, for an item that others wait for.
func (s *share) pushWith(it *messages.Item, home *messages.Home, after []waiter) bool {
	it.Home = home
	if len(after) == 0 {
		return s.pool.mb.queue(it)
	}
	return s.queue.post(s, &arrival{it, after})
}

// onArrival lists the item, and who waits for it.
func (p *pool) onArrival(m *arrival) {
	it := m.item
	it.Next, it.Prev = nil, nil
	s := pushedFor(it)
	_, keyed := it.Home.Owner.(*lane)
	if s.pol.Retired() || keyed && s.has().keys.left {
		p.arriveRetired(s, it, m.after)
		return
	}
	p.arrive(it)
	it.List |= messages.Awaited
	p.waits[it] = append(p.waits[it], m.after...)
}

// refuseArrival is that, of a pool that has stopped.
func (p *pool) refuseArrival(m *arrival) {
	if p.ended || pushedFor(m.item).gone {
		p.pass(m.item, m.after)
		return
	}
	p.sys.drop(m.item, messages.ErrStopped)
	releaseAll(m.after, messages.ErrStopped, nil)
}
