package actors

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// QueueOptions are what a queue is made with.
type QueueOptions struct {
	Kind         Kind
	HighPri      bool
	CPUIntensive bool
	MaxActive    int // 0: the default
}

// Kind says which pools serve a queue.
type Kind uint8

// The kinds of queue.
const (
	Managed Kind = iota
	PerCPU
	Unbound
	Ordered
)

// Flags of a queue: why it refuses work from outside.
const (
	draining = 1 << iota
	destroyed
	systemStopped
)

// Queue is a workqueue: a policy and a flush domain over the pools that serve
// it. Its methods are safe for concurrent use.
type Queue struct {
	sys    *System       // I:
	name   string        // I:
	opts   QueueOptions  // I:
	pid    *actor.PID    // I:
	shares []*share      // I: one a pool
	route  []uint16      // I: logical CPU → share
	home   messages.Home // I: of armed items
	flags  atomic.Uint32 // A: draining, destroyed, systemStopped

	ctx    context.Context         // I: parent of its items' contexts
	cancel context.CancelCauseFunc // I:

	gone    chan struct{} // closed when its actor has ended
	dropped atomic.Int64  // A: accepted items that will not run
}

// Name is the queue's name.
func (q *Queue) Name() string { return q.name }

// Options are what the queue was made with.
func (q *Queue) Options() QueueOptions { return q.opts }

// Queue queues an item. chained says that the caller is an item of this queue:
// it is accepted during a drain.
func (q *Queue) Queue(it *messages.Item, f func(*messages.Context) error, chained bool) error {
	return q.queueOn(q.pick(), it, f, chained)
}

// QueueOn queues an item on the pool of a logical CPU.
func (q *Queue) QueueOn(cpu int, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	s, err := q.on(cpu)
	if err != nil {
		return err
	}
	return q.queueOn(s, it, f, chained)
}

func (q *Queue) on(cpu int) (*share, error) {
	if cpu < 0 || cpu >= len(q.route) || q.route[cpu] == noShare {
		return nil, messages.ErrCPU
	}
	return q.shares[q.route[cpu]], nil
}

// pick chooses the share for an item whose caller named no CPU.
func (q *Queue) pick() *share {
	if len(q.shares) == 1 {
		return q.shares[0]
	}
	return q.shares[near(len(q.shares))]
}

func (q *Queue) queueOn(s *share, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if f == nil {
		return messages.ErrNoFunc
	}
	if fl := q.flags.Load(); fl != 0 && !chained {
		if err := q.refuses(fl, it); err != nil {
			return err
		}
	}
	state, err := claim(it, s.pool.id, 0)
	if err != nil {
		return err
	}
	if state&messages.Running != 0 {
		s = q.follow(it, state, s)
	}
	it.Func = f
	return q.push(s, it)
}

// push lists an item that its caller owns.
func (q *Queue) push(s *share, it *messages.Item) error {
	it.Home = &s.Home
	if !s.pool.mb.queue(it) {
		if it.Kind == messages.KindWork {
			idleItem(it)
		}
		return messages.ErrStopped
	}
	return nil
}

// Go queues a closure.
func (q *Queue) Go(f func(*messages.Context) error, chained bool) error {
	if f == nil {
		return messages.ErrNoFunc
	}
	if fl := q.flags.Load(); fl != 0 && !chained {
		return why(fl)
	}
	s := q.pick()
	it := s.pool.free.get()
	it.Func = f
	return q.push(s, it)
}

// claim sets PENDING and the place in one operation. It is a read-modify-write
// even when it fails, so that what the caller wrote before is seen by the
// execution that is pending. An item that runs is claimed at no place: which it
// goes to is not decided yet, and a place may touch what is at it.
func claim(it *messages.Item, at messages.Place, delayed messages.State) (messages.State, error) {
	for {
		s, to := it.State(), at
		if s&messages.Running != 0 && delayed == 0 {
			to = messages.NoPlace
		}
		switch {
		case s&messages.Pending != 0:
			if it.Swap(s, s) {
				return s, messages.ErrPending
			}
		case s.Depth() > 0:
			return s, messages.ErrDisabled
		case it.Swap(s, s.Queued(to)|delayed):
			return s, nil
		}
	}
}

// follow sends an item that runs for this queue to the pool that it runs on, so
// that it never runs twice at once. The caller owns it, at no place yet.
func (q *Queue) follow(it *messages.Item, ran messages.State, s *share) *share {
	was, ok := it.Home.Owner.(*share)
	if ok && was.queue == q && was.pool.id == ran.Runner() {
		s = was
	}
	for {
		now := it.State()
		if it.Swap(now, now.Queued(s.pool.id)) {
			return s
		}
	}
}

// refuses says why a queue that ends does not take an item from outside. An item
// that runs on it may queue itself again while it drains.
func (q *Queue) refuses(flags uint32, it *messages.Item) error {
	if it.State()&messages.Running != 0 {
		return nil // whoever queues it, it is chained to that execution
	}
	return why(flags)
}

func why(flags uint32) error {
	switch {
	case flags&systemStopped != 0:
		return messages.ErrStopped
	case flags&destroyed != 0:
		return messages.ErrDestroyed
	default:
		return messages.ErrDraining
	}
}

// QueueAfter arms an item: it is pending, and is queued after d. A delay of 0 or
// less queues it at once.
func (q *Queue) QueueAfter(d time.Duration, cpu int, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if cpu != messages.AnyCPU {
		if _, err := q.on(cpu); err != nil {
			return err
		}
	}
	if d <= 0 {
		if cpu != messages.AnyCPU {
			return q.QueueOn(cpu, it, f, chained)
		}
		return q.Queue(it, f, chained)
	}
	if f == nil {
		return messages.ErrNoFunc
	}
	if fl := q.flags.Load(); fl != 0 {
		return why(fl)
	}
	if _, err := claim(it, q.sys.delayer.id, messages.Delayed); err != nil {
		return err
	}
	it.Func = f
	if err := q.arm(int64(q.sys.now()+d), cpu, it); err != nil {
		idleItem(it)
		return err
	}
	return nil
}

// arm gives an item that the caller owns to the delayer.
func (q *Queue) arm(due int64, cpu int, it *messages.Item) error {
	d := q.sys.delayer
	it.Home, it.CPU, it.When = &q.home, uint16(cpu), due
	for s := it.State(); s != s.Armed(d.id) && !it.Swap(s, s.Armed(d.id)); s = it.State() {
	}
	if _, ok := d.mb.post(it); !ok {
		return messages.ErrStopped
	}
	return nil
}

// release queues an item that the delayer holds and that is due.
func (q *Queue) release(it *messages.Item) error {
	s := q.pick()
	if it.CPU != messages.AnyCPU {
		s = q.shares[q.route[it.CPU]]
	}
	if fl := q.flags.Load(); fl != 0 {
		return why(fl)
	}
	return q.place(s, it)
}

// place queues an item that the caller owns, on the pool that runs it if it runs
// for this queue. Its Home says nothing of that.
func (q *Queue) place(s *share, it *messages.Item) error {
	for {
		old := it.State()
		to := s
		if old&messages.Running != 0 {
			for _, x := range q.shares {
				if x.pool.id == old.Runner() {
					to = x
				}
			}
		}
		if it.Swap(old, old.Queued(to.pool.id)) {
			it.Home = &to.Home
			if !to.pool.mb.queue(it) {
				return messages.ErrStopped
			}
			return nil
		}
	}
}
