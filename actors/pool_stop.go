package actors

import (
	"iter"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

type (
	// closePools makes every pool refuse items, and run what it has.
	closePools struct{ done chan []chan struct{} }
	// closeItems is that message to a pool; done is closed when nothing is left.
	closeItems struct{ done chan<- struct{} }
)

// closePools tells every pool, and says what to wait for.
func (a *systemActor) closePools(m *closePools) {
	var wait []chan struct{}
	for p := range a.all() {
		done := make(chan struct{})
		if _, ok := p.mb.post(&messages.NewControl(&closeItems{done}).Item); ok {
			wait = append(wait, done)
		}
	}
	m.done <- wait
}

// all gives the pools, also those that end.
func (a *systemActor) all() iter.Seq[*pool] {
	return func(yield func(*pool) bool) {
		for _, p := range a.pools {
			if !yield(p) {
				return
			}
		}
		for p := range a.ending {
			if !yield(p) {
				return
			}
		}
	}
}

// empty says whether the pool has no item at all.
func (p *pool) empty() bool {
	for _, s := range p.shares {
		if !s.pol.Idle() {
			return false
		}
	}
	return len(p.leased) == 0 && p.list.first == nil
}

// stop refuses everything from now on, and reports what will not run. Items that
// run now end in their own time.
func (p *pool) stop() {
	p.stopped = true
	p.uncoupleAll()
	p.rescue.stop()
	if p.culling != nil {
		p.culling.Stop()
	}
	for it := p.mb.seal(); it != nil; {
		next := it.Next
		if it.Kind == messages.KindControl {
			p.refuse(it.Msg())
		} else if pushedFor(it).gone {
			p.pass(it, nil) // the queue goes on without this pool
		} else {
			p.sys.drop(it, messages.ErrStopped)
		}
		it = next
	}
	for _, w := range p.leased {
		p.takeBack(w)
		if taken, _ := w.lease.Progress(); taken > 0 {
			p.named.Add(1)
			p.sys.left.Add(1) // it says so itself when it ends
		}
		p.dropAll(&w.parked)
		p.dropAll(&w.passing)
	}
	p.dropAll(&p.list)
	p.dropAll(&p.abroad)
	for _, s := range p.shares {
		p.dropAll(&s.inactive)
		s.full.Store(false)
		for _, c := range s.has().keys.chains {
			p.dropAll(&c.held)
		}
	}
	p.waits.release(messages.ErrStopped)
	if p.pol.Kind() == policy.BH {
		p.sys.disp.workers(-1)
	}
	if !p.ended && p.sys.pools.Add(-1) == 0 {
		p.sys.cancel(messages.ErrStopped) // only now: nothing starts in the place of what ends
	}
	for _, w := range p.leased {
		p.wake(w, messages.ErrStopped, nil)
	}
}

// refuse answers a message that came too late.
func (p *pool) refuse(msg any) {
	switch m := msg.(type) {
	case *ask:
		if p.ended {
			m.tell(gone) // the item is passed on
			return
		}
		m.refuse()
	case *inspectPool:
		m.reply <- nil
	case refusable:
		m.refused(p)
	case *worker:
		p.note(m)
	case *tellEnd:
		m.reply()
	case *keyAsk:
		if p.ended {
			m.reply()
		}
	case *holdsAsk:
		m.reply <- holds{gone: true}
	case *askTurn:
		m.queue.tell(&hadTurn{})
	case *passage:
		if !m.back {
			p.onPassage(m)
		}
	case *passMsg:
		close(m.done)
	case *messages.Inspect:
		m.Reply <- p.stats(m.Share.(*share))
	case *messages.Rescue: // from a rescuer that would wait for its worker
		p.sys.as.Root.Send(m.Share.(*share).queue.rescuer.pid.Load(), &messages.Rescued{Share: m.Share})
	}
}

func (p *pool) dropAll(l *list) {
	for l.first != nil {
		p.sys.drop(l.shift(), messages.ErrStopped)
	}
}
