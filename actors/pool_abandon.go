package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

type (
	// abandonShare: nothing of the share starts any more. What waits is dropped, and
	// so is what comes later; each item is reported.
	abandonShare struct {
		share *share
		why   error
	}
	// shareAbandoned is the answer to the queue.
	shareAbandoned struct {
		messages.Quiet
		share   *share
		dropped []*messages.Item // reusable ones; they may be queued again by now
		calls   int              // closures that were dropped
		running int              // executions that go on
	}
)

func (m *abandonShare) read(p *pool)    { p.abandon(m) }
func (m *abandonShare) refused(p *pool) { p.tellAbandoned(&shareAbandoned{share: m.share}) }

func (p *pool) abandon(m *abandonShare) {
	s := m.share
	a := &shareAbandoned{share: s}
	s.gets().dead = m.why
	s.ended, s.borrows = true, false
	s.pol.Retire() // what comes is looked at one by one
	s.pol.Thaw()
	s.pol.Resume()
	s.pol.Own(0)
	s.rested() // nobody would thaw it
	p.retiring = slices.DeleteFunc(p.retiring, func(x *share) bool { return x == s })
	for _, w := range p.leased {
		if w.share != s {
			continue
		}
		if p.takeBack(w); w.holding() && w.phase.Load() != phaseDone {
			a.running++
		}
	}
	for _, it := range p.listed(s) {
		if it.Kind == messages.KindWork {
			a.dropped = append(a.dropped, it)
		} else {
			a.calls++
		}
		after := p.takeOff(it, func(it *messages.Item) { p.sys.drop(it, m.why) }, m.why)
		releaseAll(after, nil, m.why)
	}
	p.detached(s)
	p.tellAbandoned(a)
}

// tellAbandoned answers. It is no matter if the queue has gone: the system stops.
func (p *pool) tellAbandoned(a *shareAbandoned) { a.share.queue.tell(a) }

// listed are the items of a share that wait in the pool, in any of its lists.
func (p *pool) listed(s *share) (items []*messages.Item) {
	add := func(l *list) {
		for it := l.first; it != nil; it = it.Next {
			if home(it) == s {
				items = append(items, it)
			}
		}
	}
	if s.pol.Waiting() > 0 {
		add(&p.list)
	}
	for _, w := range p.leased {
		add(&w.parked)
		add(&w.passing)
	}
	add(&p.abroad)
	add(&s.inactive)
	for _, c := range s.has().keys.chains {
		add(&c.held)
	}
	return items
}
