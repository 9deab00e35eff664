package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// spawnRunner gives a BH pool its runner, the kernel's pseudo-worker, which stands
// for softirq context: the only worker that the pool ever has, so that items run
// one after the other. There is no manager, for nothing is made or culled.
//
// The pool's turn gives it leases and never runs one itself: it may be on the
// goroutine of a producer that holds a lock which the item takes. The runner reports
// a lease done in a turn on its own goroutine, and that turn gives it the next. When
// its budget is spent another goroutine of the dispatcher goes on.
//
// The mailbox is open while an item runs: who cancels, flushes or inspects never
// waits for an item, not even from an item of the same pool.
func (p *pool) spawnRunner() {
	name := p.name
	if p.high {
		name += "H"
	}
	w := newWorker(p, 0, name)
	w.ctx = messages.NewAtomicContext(w)
	w.box.now = p.sys.now
	props := p.sys.props(func() actor.Actor { return w }).
		Configure(actor.WithMailbox(func() actor.Mailbox { return &w.box }))
	w.pid = p.ctx.Spawn(props)
	p.sys.disp.workers(1)
	p.created(name, nil)
	p.ready(w)
}

// noLimit says why the limit of a kind of queue is not to be changed, or nil.
func noLimit(k Kind) error {
	switch k {
	case Ordered:
		return messages.ErrOrdered
	case BH:
		return messages.ErrBH
	default:
		return nil
	}
}

// maxActive is the share's part of max_active, 0 if there is no limit.
func (s *share) maxActive() int {
	if s.queue.opts.Kind == BH {
		return 0
	}
	return s.pol.Limit()
}
