package actors

import (
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// evict asks a pool to drop the item of a share that waits longest, unless the queue
// has room by then. Like an ask it takes a turn and no more.
type evict struct {
	share *share
	done  chan evicted
}

type evicted uint8

const (
	nothing  evicted = iota // the pool has nothing to drop
	hasRoom                 // there is room by now
	replaced                // it dropped an item
)

// replaceLooks is how often an item to drop is looked for: it may be between two
// steps.
const replaceLooks = 100

// replace makes room by dropping what waits longest. ErrFull if nothing can be
// dropped, because what has the room is armed.
func (b *bound) replace(q *Queue) error {
	var again backoff
	for again < replaceLooks {
		for _, s := range q.table.Load().all() {
			done := s.evict()
			if done == nothing {
				continue
			}
			if done == replaced {
				q.sys.as.EventStream.Publish(&messages.Dropped{Queue: q.name, Err: messages.ErrDropped})
			}
			if b.try() {
				return nil
			}
			again = 0 // another was faster
			break
		}
		if b.try() {
			return nil
		}
		again.pause()
	}
	return messages.ErrFull
}

func (s *share) evict() evicted {
	m := &evict{s, make(chan evicted, 1)}
	if !s.queue.post(s, m) {
		return nothing
	}
	return <-m.done
}

// evict drops an item that waits; armed ones, and those in other pools' hands, are
// not here.
func (p *pool) evict(m *evict) {
	s := m.share
	if s.queue.bound.free() {
		m.done <- hasRoom
		return
	}
	for _, w := range p.leased {
		if w.share == s {
			p.takeBack(w)
		}
	}
	it, ok := p.oldest(s)
	if !ok {
		m.done <- nothing
		return
	}
	after := p.withdraw(it, true)
	p.sys.drop(it, messages.ErrDropped)
	releaseAll(after, nil, messages.ErrDropped)
	m.done <- replaced
}

// oldest finds the item of a share that waits longest. Without keys lists are in the
// order of arrival, and their first items are enough.
func (p *pool) oldest(s *share) (*messages.Item, bool) {
	var o policy.Oldest[*messages.Item]
	keyed := len(s.has().keys.chains) > 0
	see := func(l *list, all bool) {
		for it := l.first; it != nil; it = it.Next {
			if home(it) != s {
				continue
			}
			o.See(it, it.When)
			if !all {
				return
			}
		}
	}
	see(&p.list, keyed)
	see(&s.inactive, keyed)
	for _, w := range p.leased {
		see(&w.parked, true)
	}
	see(&p.abroad, true)
	for _, c := range s.has().keys.chains {
		see(&c.held, false)
	}
	return o.Get()
}

// stamp notes when n items arrived at a share which may have to tell which is the
// oldest: each later than the one before. A queue that limits how long items wait has
// stamped them.
func (s *share) stamp(first *messages.Item, n int) {
	if b := s.queue.bound; b == nil || b.full != policy.DropOldest || s.queue.stamps {
		return
	}
	last := &s.gets().stamped
	*last = max(*last, s.queue.sys.nanos()-int64(n))
	for it := first; n > 0; n-- {
		*last++
		it.When = *last
		it = it.Next
	}
}
