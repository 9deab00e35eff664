package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// The queue's actor owns its shares, the present and the retired ones, each with a
// small number that is given out again when the share is gone. To change which
// pools serve the queue: add the new shares, then publish; whoever is not in the
// new table is retired, and leaves when it is empty.

// newQueueActor makes the actor of a queue with a share on each pool.
func newQueueActor(q *Queue, limit int, by served) *queueActor {
	a := &queueActor{q: q, limit: limit, cpus: by.cpus}
	shares := make([]*share, len(by.pools))
	for i, p := range by.pools {
		shares[i] = a.newShare(p, limit)
		shares[i].cpu = slices.Index(by.route, uint16(i))
	}
	a.divide(shares)
	a.publish(&table{shares: shares, route: by.route, choice: by.choice})
	return a
}

// addShare makes a share of the queue on a pool, for the given logical CPU and
// whichever else is routed to it. It gets no item before it is published.
func (a *queueActor) addShare(p *pool, cpu int) *share {
	l, held := a.ledger(), 0
	if l == nil {
		held = a.limit
	}
	shared := slices.DeleteFunc(slices.Clone(a.shares), func(s *share) bool { return s.room != nil })
	s := a.newShare(p, held)
	s.cpu = cpu
	if l != nil {
		s.borrows = true
		if len(shared) == 1 {
			a.q.post(shared[0], &borrow{shared[0]})
		}
		plug := a.q.opts.Kind == Ordered && len(shared) > 0
		a.order(l.Add(s.id, p.node, plug))
	}
	return s
}

// newShare makes a share with so many slots, and a number for it.
func (a *queueActor) newShare(p *pool, held int) *share {
	s := newShare(a.q, p, held)
	if s.plain() {
		s.pol.Plain()
	}
	if a.moves != nil {
		s.born = a.moves.generation
	}
	if s.id = len(a.shares); a.share(s.id) != nil {
		for s.id = 0; a.share(s.id) != nil; {
			s.id++
		}
	}
	a.drain.forgets(s.id)
	s.pol.Epoch.StartAt(a.flushes.Next())
	a.flushes.Add(s.id)
	if a.q.opts.Freezable && (a.q.table.Load() != nil || a.q.sys.frozen.Load()) {
		s.pol.Freeze() // of a queue that is there: until it is published, see born
	}
	if a.q.Paused() {
		s.pol.Pause()
	}
	a.shares = append(a.shares, s)
	a.unsettleDrain()
	return s
}

// share gives a share by its number, nil if there is none. Most queues have one or two.
func (a *queueActor) share(id int) *share {
	for _, s := range a.shares {
		if s.id == id {
			return s
		}
	}
	return nil
}

// publish replaces the table that producers read, and retires the shares that are
// not in the new one: their pools are told after it can be read, so that what was
// pushed before runs there, and nothing after that.
func (a *queueActor) publish(t *table) {
	now := a.q.table.Load()
	var gone []*share
	if now != nil {
		t.past = now.past
		for _, s := range slices.Concat(now.shares, now.private()) {
			if !slices.Contains(t.shares, s) && !slices.Contains(t.private(), s) {
				gone = append(gone, s)
			}
		}
		t.old = slices.Concat(now.old, gone)
	}
	a.replace(t)
	if now != nil && a.q.opts.Freezable {
		a.q.sys.as.Root.Send(a.q.sys.root, &born{shares: t.newIn(now)})
	}
	for _, s := range gone {
		if l := a.ledger(); l != nil && s.room == nil {
			l.Retire(s.id)
		}
		a.q.post(s, &retire{s})
	}
}

// onGone forgets a share. Its slots go to others; the next oldest share of an
// ordered queue may begin.
func (a *queueActor) onGone(m *shareGone) {
	s := m.share
	a.shares = slices.DeleteFunc(a.shares, func(x *share) bool { return x == s })
	if s.room != nil {
		a.ctx.Send(a.q.sys.root, &freePools{pools: []*pool{s.pool}})
	} else if l := a.ledger(); l != nil {
		a.order(l.Remove(s.id))
		if len(a.shares) > 0 {
			a.order(l.Unplug(a.shares[0].id))
		}
	}
	if m.moved {
		a.again()
	}
	a.unsettleDrain()
	a.complete(a.flushes.Remove(s.id))
	a.leave(s.pool)
}

// leave tells the system that the queue has one share less on a pool.
func (a *queueActor) leave(p *pool) {
	a.ctx.Send(a.q.sys.root, &poolLeft{queue: a.q, pool: p})
}

// again has all open flushes start anew when they complete: items of theirs were
// passed on to another share, perhaps after it had closed the epoch.
func (a *queueActor) again() {
	for i := range a.epochs {
		a.epochs[i].again = true
	}
}

// counters are what a share leaves behind of its numbers.
func counters(st messages.ShareStats) messages.ShareStats {
	return messages.ShareStats{
		Arrived: st.Arrived, Started: st.Started, Completed: st.Completed, Failed: st.Failed, CPUTime: st.CPUTime,
		CPUIntensive: st.CPUIntensive, CMWakeup: st.CMWakeup, Repatriated: st.Repatriated,
		Mayday: st.Mayday, Rescued: st.Rescued,
	}
}

// reshape asks a queue to be served by these pools: CPU c by pools[route[c]].
type reshape struct {
	messages.Quiet
	pools  []*pool
	route  []uint16
	choice *choice
	cpus   map[int]int // of each node, that may be used; nil: as before
	done   chan<- error
}

// onReshape gives the queue new shares on all the pools, also on those that serve it
// already: a share is of one time, and what it has was queued before what newer ones
// have. It keeps its shares if the pools are what they were. The system's actor holds
// a pool once for each share that the message may make.
//
// Follows the kernel's apply_wqattrs_prepare.
func (a *queueActor) onReshape(m *reshape) {
	if a.shutdown.abandons() {
		reply(m.done, messages.ErrDestroyed) // the system's actor holds no pool for it much longer
		return
	}
	now := a.q.table.Load()
	shares := now.shares
	if slices.EqualFunc(shares, m.pools, func(s *share, p *pool) bool { return s.pool == p }) {
		for _, p := range m.pools {
			a.leave(p)
		}
	} else {
		a.moving().generation++
		shares = make([]*share, len(m.pools))
		for i, p := range m.pools {
			shares[i] = a.addShare(p, slices.Index(m.route, uint16(i)))
		}
	}
	a.publish(&table{shares: shares, route: m.route, choice: m.choice, fixed: now.fixed})
	if m.cpus != nil {
		a.setCPUs(m.cpus)
	}
	reply(m.done, nil)
}
