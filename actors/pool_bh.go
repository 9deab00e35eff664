package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// soft is the runner of a BH pool: the kernel's pseudo-worker, which stands for
// softirq context. It is no actor and never parks: the pool's turn raises it with a
// lease, it runs on a goroutine of the dispatcher, and the turn in which it reports
// the lease done runs on that goroutine, too, and gives it the next one.
//
// The pool's mailbox is open while an item runs, so that who cancels, flushes or
// inspects never waits for an item, not even an item of the same pool.
type soft struct {
	w      *worker
	active atomic.Bool                    // A: somebody runs it, or was told to
	lease  atomic.Pointer[messages.Lease] // A:
	runFn  func()                         // I:
}

// raiseRunner gives a BH pool its runner; it counts as the one worker.
func (p *pool) raiseRunner() {
	name := p.name
	if p.high {
		name += "H"
	}
	w := newWorker(p, 0, name)
	w.ctx = messages.NewAtomicContext(w)
	w.soft = &soft{w: w}
	w.soft.runFn = w.soft.run
	p.sys.disp.workers(1)
	p.ready(w)
	p.settle()
}

// raise has the lease run on the dispatcher, never on the caller's goroutine: a
// producer may hold a lock that the item takes.
func (s *soft) raise(l *messages.Lease) {
	s.lease.Store(l)
	if !s.active.Load() && s.active.CompareAndSwap(false, true) {
		s.w.pool.sys.disp.Schedule(s.runFn)
	}
}

// run runs leases until there is none, or until the budget is spent: then another
// goroutine goes on, behind those that wait for a CPU.
func (s *soft) run() {
	b := policy.NewBudget(s.w.pool.sys.now())
	for {
		s.once()
		s.active.Store(false)
		if s.lease.Load() == nil || !s.active.CompareAndSwap(false, true) {
			return
		}
		if !b.Spend(s.w.pool.sys.now()) {
			s.w.pool.sys.disp.Schedule(s.runFn)
			return
		}
	}
}

// once runs a lease. A Goexit of an item ends the goroutine: the dispatcher calls
// run again on another.
func (s *soft) once() {
	defer func() {
		if r := recover(); r != nil {
			if invariants.Enabled {
				panic(r) // a bug of the engine: loud in tests, logged elsewhere
			}
			s.w.pool.sys.log.Error("the engine failed", "worker", s.w.name, "panic", r)
		}
	}()
	if l := s.lease.Swap(nil); l != nil {
		s.w.work(l)
	}
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
