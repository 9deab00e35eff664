package actors

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// System owns the pools, the queues, the ticker and the delayer.
type System struct {
	as   *actor.ActorSystem // I:
	opts Options            // I:
	log  *slog.Logger       // I:
	cpus []int              // I: logical CPUs, ascending
	base time.Time          // I: time is counted from here; a stamp of 0 is none

	meek    atomic.Bool  // A: a thread was refused its priority
	threads atomic.Int64 // A: of pinned workers

	disp    *dispatcher // I:
	source  Source      // I:
	ticker  *ticker     // I:
	dog     *watchdog   // I:
	delayer *delayer    // I:
	lookout *lookout    // I:
	memory  pressure    // A:
	procs   procs
	obs     *observers // I: nil: nobody wants to know
	warned  dependencies
	root    *actor.PID // I:

	queues  sync.Map      // A: name → *Queue; written by the system's actor
	dropped atomic.Int64  // A: accepted items that did not run
	ended   atomic.Bool   // A: Stop was called
	frozen  atomic.Bool   // A: written by the system's actor
	pools   atomic.Int64  // A: that have not stopped
	left    atomic.Int64  // A: items that ran when their pool stopped, and still do
	closing atomic.Bool   // A: queues may not hold Stop back any more
	gone    chan struct{} // closed when the actors are gone

	ctx    context.Context // I: parent of every item's context
	cancel context.CancelCauseFunc
}

// epoch is what the time is when a system starts: a stamp of 0 is none.
const epoch = time.Second

// idleGoroutines is how many goroutines the dispatcher keeps beside one a worker.
const idleGoroutines = 16

// Start spawns a system in an actor system.
func Start(as *actor.ActorSystem, opts Options) (*System, error) {
	if err := opts.fill(); err != nil {
		return nil, err
	}
	s := &System{
		as: as, opts: opts, log: opts.Logger, base: time.Now().Add(-epoch),
		disp: newDispatcher(idleGoroutines), source: opts.Source, gone: make(chan struct{}),
	}
	s.cpus = opts.Topology.CPUs().List()
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.memory.read = opts.Memory
	s.procs.follow = opts.detected
	s.procs.now.Store(int64(runtime.GOMAXPROCS(0)))
	s.procs.next.Store(int64(s.now() + procsPeriod))
	s.obs = newObservers(s, opts.Observers)
	if opts.RoundRobin {
		s.log.Warn("items whose queuer names no CPU go to another CPU each time, which is slow")
	}
	if opts.Pinning {
		if err := s.pinnable(); err != nil {
			return nil, err
		}
	}
	t, err := newTicker(s.source, s.disp.Schedule)
	if err != nil {
		return nil, err
	}
	s.ticker = t
	s.dog = newWatchdog(opts.Watchdog)
	s.lookout = newLookout(s)
	s.delayer = newDelayer(s)
	if s.delayer.id, err = places.add(s.delayer); err != nil {
		return nil, errors.Join(err, t.timer.Close(), s.closeGoroutines(0))
	}
	a := newSystemActor(s)
	ready := make(chan struct{})
	props := s.props(func() actor.Actor { return a }).
		Configure(actor.WithSupervisor(s.supervisor()))
	s.root = as.Root.SpawnPrefix(props, "cmwq")
	as.Root.Send(s.root, &whenStarted{ready})
	<-ready
	return s, nil
}

// resume keeps an actor's state and mailbox after a failure of the engine, and tells.
func (s *System) resume(reason any) actor.Directive {
	s.log.Error("the engine failed; please report it", "err", reason)
	return actor.ResumeDirective
}

// props are what all actors of a system have.
func (s *System) props(producer actor.Producer) *actor.Props {
	return actor.PropsFromProducer(producer, actor.WithDispatcher(s.disp))
}

// now is the time since the system was started.
func (s *System) now() time.Duration { return time.Since(s.base) }

// due is the stamp of d from now; the far future does not wrap.
func (s *System) due(d time.Duration) int64 {
	now := s.now()
	if d > math.MaxInt64-now {
		return math.MaxInt64
	}
	return int64(now + d)
}

func (s *System) nanos() int64 { return int64(s.now()) }

// NewQueue makes a queue.
func (s *System) NewQueue(name string, opts QueueOptions) (*Queue, error) {
	return s.newQueue(&newQueue{name: name, opts: opts})
}

func (s *System) newQueue(m *newQueue) (*Queue, error) {
	if s.ended.Load() {
		return nil, messages.ErrStopped
	}
	m.reply = make(chan queueReply, 1)
	s.as.Root.Send(s.root, m)
	select {
	case r := <-m.reply:
		return r.queue, r.err
	case <-s.gone:
		return nil, messages.ErrStopped
	}
}

// Queue finds a queue by name, nil if there is none.
func (s *System) Queue(name string) *Queue {
	q, _ := s.queues.Load(name)
	found, _ := q.(*Queue)
	return found
}

// eachQueue goes over the queues there are.
func (s *System) eachQueue() iter.Seq[*Queue] {
	return func(yield func(*Queue) bool) {
		s.queues.Range(func(_, q any) bool { return yield(q.(*Queue)) })
	}
}

// drop reports an accepted item that will not run, and leaves it idle.
func (s *System) drop(it *messages.Item, err error) {
	if x, ok := seriesOf(it); ok { // no item is lost with it
		idleItem(it)
		x.Dropped(err)
		return
	}
	if q := queueOf(it); q != nil {
		why, lost := q.lose(it, err)
		q.bound.give()
		if !lost {
			idleItem(it)
			return
		}
		err = why
		s.obs.cancelled(it, err)
		q.gets().dropped.Add(1)
	}
	s.dropped.Add(1)
	it.List = messages.Unlisted
	msg, f := it.Msg(), it.Func
	if it.Kind == messages.KindWork {
		idleItem(it) // from here on it is its owner's
	}
	messages.WillNotRun(f, err)
	if d, ok := msg.(messages.Dropper); ok {
		d.Dropped(err)
	}
}

// disarm has the delayer cancel a queue's armed items, each of which is reported, and
// tell which they were: in its turn, so told must not wait. False if the delayer has
// ended, and dropped everything.
func (s *System) disarm(q *Queue, told func(dropped []*messages.Item)) bool {
	_, ok := s.delayer.mb.post(&messages.NewControl(&disarmMsg{queue: q, why: why(q.flags.Load()), told: told}).Item)
	return ok
}

func (q *Queue) warnDisarmed(n int) {
	if n > 0 {
		q.sys.log.Warn("armed work was cancelled: its queue ends", "queue", q.name, "items", n)
	}
}

// forget takes a queue's name back.
func (s *System) forget(q *Queue) {
	s.queues.CompareAndDelete(q.name, q) // now: who hears of the end may look
	s.as.Root.Send(s.root, &forgetQueue{queue: q})
}

// Topology is the CPUs as the system sees them.
func (s *System) Topology() *topology.Topology { return s.opts.Topology }

// System is the system that the queue belongs to.
func (q *Queue) System() *System { return q.sys }
