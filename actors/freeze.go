package actors

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// frost is one freeze of the system, from Freeze to Thaw: every Freeze between
// waits for the same. Each share of a freezable queue counts itself out when
// nothing of it is active any more; new work does not become active.
type frost struct {
	left  atomic.Int64  // A: shares that are not still yet
	ended atomic.Bool   // A:
	err   error         // before done is closed: nil if all are still
	done  chan struct{} // closed when all are still, or thawed
}

type (
	// freezeMsg and thawMsg are to the system's actor, whose mailbox takes the
	// place of the kernel's wq_pool_mutex: no queue is made meanwhile.
	freezeMsg struct{ reply chan *frost }
	thawMsg   struct{ reply chan struct{} }
	// freezeShare and thawShare are from it to the pools.
	freezeShare struct {
		share *share
		frost *frost
	}
	thawShare struct{ share *share }
)

func (f *frost) end(err error) {
	if !f.ended.Swap(true) {
		f.err = err
		close(f.done)
	}
}

func (f *frost) still() {
	if f.left.Add(-1) == 0 {
		f.end(nil)
	}
}

// Freeze stops freezable queues and waits until nothing of them is active.
// (kernel: freeze_workqueues_begin, and freeze_workqueues_busy until it is false)
func (s *System) Freeze(ctx context.Context) error {
	var refused chan error
	var on *freezeWait
	if x := inside(ctx); x != nil {
		if x.queue.sys == s && x.queue.opts.Freezable {
			return x.itself("freeze", messages.Party{})
		}
		on = &freezeWait{sys: s}
		e, err := x.enter(ctx, "freeze", on)
		if err != nil {
			return err
		}
		defer e.leave()
		refused = e.refused
	}
	if s.ended.Load() {
		return messages.ErrStopped
	}
	m := &freezeMsg{make(chan *frost, 1)}
	s.as.Root.Send(s.root, m)
	select {
	case f := <-m.reply:
		if f == nil {
			return messages.ErrStopped
		}
		if on != nil {
			on.frost.Store(f)
		}
		select {
		case <-f.done:
			return f.err
		case err := <-refused:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	case <-s.gone:
		return messages.ErrStopped
	}
}

// Thaw lets freezable queues go on; their items start in order.
func (s *System) Thaw() {
	if s.ended.Load() {
		return // Stop has thawed
	}
	m := &thawMsg{make(chan struct{}, 1)}
	s.as.Root.Send(s.root, m)
	select {
	case <-m.reply:
	case <-s.gone:
	}
}

// Frozen says whether the system is frozen, or freezes.
func (s *System) Frozen() bool { return s.frozen.Load() }

func (a *systemActor) freeze() *frost {
	if a.sys.ended.Load() {
		return nil
	}
	if a.frost != nil {
		return a.frost
	}
	f := &frost{done: make(chan struct{})}
	f.left.Store(1) // this loop
	a.frost = f
	a.sys.frozen.Store(true)
	a.eachFreezable(func(s *share) {
		f.left.Add(1)
		if !s.queue.post(s, &freezeShare{s, f}) {
			f.still()
		}
	})
	f.still()
	return f
}

func (a *systemActor) thaw() {
	if a.frost == nil {
		return
	}
	a.frost.end(messages.ErrThawed)
	a.frost = nil
	a.sys.frozen.Store(false)
	a.eachFreezable(func(s *share) { s.queue.post(s, &thawShare{s}) })
}

// born tells the system's actor of shares of a freezable queue that may be read in its
// table now. They are frozen: a freeze did not reach them before. It thaws them if there
// is none; one that is ended later reaches them.
type born struct {
	messages.Quiet
	shares []*share
}

func (a *systemActor) born(m *born) {
	if a.frost != nil {
		return
	}
	for _, s := range m.shares {
		s.queue.post(s, &thawShare{s})
	}
}

// newIn gives the shares that get items by the table t, and got none by an earlier one.
func (t *table) newIn(was *table) []*share {
	had := was.all()
	return slices.DeleteFunc(slices.Concat(t.shares, t.private()), func(s *share) bool { return slices.Contains(had, s) })
}

func (a *systemActor) eachFreezable(f func(s *share)) {
	for q := range a.sys.eachQueue() {
		if q.opts.Freezable {
			for _, s := range q.table.Load().all() {
				f(s)
			}
		}
	}
}

// freezeWait is the wait of an item for a freeze.
type freezeWait struct {
	sys   *System
	frost atomic.Pointer[frost] // A: once it has begun
}

func (t *freezeWait) over() bool {
	f := t.frost.Load()
	return f != nil && f.ended.Load()
}

func (t *freezeWait) expand(k *walk) int {
	n := k.node(0, messages.Party{})
	for q := range t.sys.eachQueue() {
		if q.opts.Freezable {
			k.g.Edge(n, (&queueWait{queue: q, all: true}).expand(k))
		}
	}
	return n
}
