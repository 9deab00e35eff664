package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// QueueOptions are what a queue is made with.
type QueueOptions struct {
	Kind         Kind
	HighPri      bool
	CPUIntensive bool
	Freezable    bool
	MaxActive    int // 0: the default
	MemReclaim   bool

	MinActive      int          // of each memory node; 0: max_active is one limit for all
	PowerEfficient bool         // per-CPU, or unbound if the system is to save power
	Attrs          policy.Attrs // of queues that are not per-CPU
	Strategy       messages.Strategy

	Limits   policy.TimeLimits // of each item
	Bound    int               // accepted items that have not begun; 0: any number
	WhenFull policy.WhenFull   // what becomes of one more
	Shutdown *time.Duration    // for how long it drains when it is told to stop; nil: DefaultShutdown

	PerSecond rate.Limit // items that start in a second
	Burst     int        // and at once
	Paced     bool       // both apply

	System    bool // a system queue: it cannot be drained or destroyed
	FlushWarn bool // flushing it warns
}

// Kind says which pools serve a queue.
type Kind uint8

// The kinds of queue.
const (
	Managed Kind = iota
	PerCPU
	Unbound
	Ordered
	BH
)

// perCPU says whether each CPU has a pool of the kind, and each pool a limit.
func (k Kind) perCPU() bool { return k == PerCPU || k == BH }

// Flags of a queue: why it refuses work from outside.
const (
	draining = 1 << iota
	destroyed
	systemStopped
	finished // its actor has ended: not even its own items are taken
)

// Queue is a workqueue: a policy and a flush domain over the pools that serve
// it. Its methods are safe for concurrent use.
type Queue struct {
	sys     *System               // I:
	name    string                // I:
	opts    *QueueOptions         // I: but for the strategy; queues share them
	flags   atomic.Uint32         // A: draining, destroyed, systemStopped, finished
	child   bool                  // I: of an actor of the user's, or of nobody
	stamps  bool                  // I: its items are stamped when they come
	samples bool                  // I: some of its items are stamped, to be measured
	notes   bool                  // I: one of both: what most queues look at with each item
	rarity  atomic.Uint32         // A: how rarely, 2^-n, new items are measured; 0: each time
	skip    atomic.Int64          // A: the stamp of items that need none when they come; see policy.Skips
	metered bool                  // I: how long its items wait and run is measured
	watched bool                  // I: observers want to know of its executions
	table   atomic.Pointer[table] // A: which pools serve it; written by its actor
	bound   *bound                // I: nil if any number of items may wait
	sup     *supervision          // I: nil without a strategy

	home  messages.Home                // I: of armed items
	pid   *actor.PID                   // I: since it was spawned
	attrs atomic.Pointer[policy.Attrs] // A: as asked for; written by the system's actor
	life  atomic.Pointer[life]         // A: see context

	rescuer *rescuer                  // I: nil without MemReclaim
	handle  atomic.Pointer[any]       // A: what the user holds, made when first asked for
	gone    signal                    // given when its actor has ended
	rare    atomic.Pointer[queueRare] // A: see has
	seat    atomic.Int32              // A: where a snapshot has it, most likely; written by the system's actor
	box     queuebox                  // A: its actor's mailbox
}

// Name is the queue's name.
func (q *Queue) Name() string { return q.name }

// Handle is what the user's package makes of the queue: always the same.
func (q *Queue) Handle(first func() any) any {
	if h := q.handle.Load(); h != nil {
		return *h
	}
	h := first()
	q.handle.CompareAndSwap(nil, &h)
	return *q.handle.Load()
}

// Options are what the queue was made with.
func (q *Queue) Options() QueueOptions {
	o := *q.opts
	if q.sup != nil {
		o.Strategy = q.sup.strategy
	}
	return o
}

// Queue queues an item. chained says that the caller is an item of this queue:
// it is accepted during a drain.
func (q *Queue) Queue(it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if q.bound != nil {
		return q.QueueContext(atOnce, it, f, chained)
	}
	t := q.table.Load()
	s := t.only
	if s == nil {
		s = t.choose()
	}
	return q.queueOn(t, s, messages.AnyCPU, it, f, chained)
}

// QueueOn queues an item on the pool of a logical CPU.
func (q *Queue) QueueOn(cpu int, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	t := q.table.Load()
	s, err := t.on(cpu)
	if err != nil {
		return err
	}
	if q.bound != nil {
		return q.within(atOnce, it, f, chained, func() error { return q.queueOn(t, s, cpu, it, f, chained) })
	}
	return q.queueOn(t, s, cpu, it, f, chained)
}

func (q *Queue) queueOn(t *table, s *share, cpu int, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	state, err := q.claimFor(s.pool.id, it, f, chained)
	if err != nil {
		s.room.add(-1)
		return err
	}
	q.stamp(s, cpu, it)
	if state&messages.Running != 0 || !s.push(it) {
		s.room.add(-1) // it is counted where it goes
		if err := q.place(s, it); err != nil {
			q.sys.obs.cancelled(it, err)
			idleItem(it)
			return err
		}
	}
	q.settled(t)
	return nil
}

// claimFor makes the caller the item's owner, if the queue takes it.
func (q *Queue) claimFor(at messages.Place, it *messages.Item, f func(*messages.Context) error, chained bool) (messages.State, error) {
	if f == nil {
		return 0, messages.ErrNoFunc
	}
	if fl := q.shut(chained); fl != 0 {
		if err := q.refuses(fl, it); err != nil {
			return 0, err
		}
	}
	state, err := claim(it, at, 0)
	if err == nil {
		it.Func = f
	}
	return state, err
}

// push lists an item that its caller owns. It is refused by a pool that has ended.
func (s *share) push(it *messages.Item) bool {
	it.Home = &s.Home
	return s.pool.mb.queue(it)
}

// Go queues a closure.
func (q *Queue) Go(f func(*messages.Context) error, chained bool) error {
	if f == nil {
		return messages.ErrNoFunc
	}
	if q.bound != nil {
		return q.GoContext(atOnce, f, chained)
	}
	return q.goNow(f, chained)
}

// goNow is that, whatever waits.
func (q *Queue) goNow(f func(*messages.Context) error, chained bool) error {
	if fl := q.shut(chained); fl != 0 {
		return why(fl)
	}
	t := q.table.Load()
	s := t.only
	if s == nil {
		s = t.choose()
	}
	it := s.pool.free.get()
	it.Func = f
	q.stamp(s, messages.AnyCPU, it)
	if !s.push(it) {
		s.room.add(-1)
		if err := q.place(s, it); err != nil {
			q.sys.obs.cancelled(it, err)
			return err
		}
	}
	q.settled(t)
	return nil
}

// shut gives the flags of a queue that takes no work of the caller, 0 if it does: an
// item of its own is taken until the queue has ended.
func (q *Queue) shut(chained bool) uint32 {
	fl := q.flags.Load()
	if chained && fl&finished == 0 {
		return 0
	}
	return fl
}

// refuses says why a queue that ends does not take an item from outside. An item
// that runs on it may queue itself again while it drains.
func (q *Queue) refuses(flags uint32, it *messages.Item) error {
	if it.State()&messages.Running != 0 && flags&finished == 0 {
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
