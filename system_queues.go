package cmwq

import (
	"errors"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// ErrSystemQueue refuses to drain, destroy or change a system queue.
var ErrSystemQueue = messages.ErrSystemQueue

// The system queues, by number.
const (
	events = iota
	eventsHighPri
	eventsLong
	eventsUnbound
	eventsUnboundLong
	eventsManaged
	eventsFreezable
	eventsPowerEfficient
	eventsFreezablePowerEfficient
	eventsBH
	eventsBHHighPri

	numSystemQueues
)

// systemQueues is what the system queues are: a new one is a line here, a number
// above, and a method below. Flushing one warns if the kernel recognises it.
var systemQueues = [numSystemQueues]struct {
	name      string
	flushWarn bool
	opts      []QueueOption
}{
	events:               {"events", true, []QueueOption{PerCPU()}},
	eventsHighPri:        {"events_highpri", true, []QueueOption{PerCPU(), HighPri()}},
	eventsLong:           {"events_long", true, []QueueOption{PerCPU()}},
	eventsUnbound:        {"events_unbound", true, []QueueOption{Unbound(), MaxActive(2048)}},
	eventsUnboundLong:    {"events_dfl_long", true, []QueueOption{Unbound(), MaxActive(2048)}},
	eventsManaged:        {"events_managed", true, nil},
	eventsFreezable:      {"events_freezable", true, []QueueOption{PerCPU(), Freezable()}},
	eventsPowerEfficient: {"events_power_efficient", true, []QueueOption{PowerEfficient()}},
	eventsFreezablePowerEfficient: {"events_freezable_pwr_efficient", true,
		[]QueueOption{Freezable(), PowerEfficient()}},
	eventsBH:        {"events_bh", false, []QueueOption{BH()}},
	eventsBHHighPri: {"events_bh_highpri", false, []QueueOption{BH(), HighPri()}},
}

// Default is the queue "events": per-CPU, for short items of anybody.
//
// System queues are shared by the whole program. They are made when they are first
// asked for, which takes about as long as NewQueue; later calls cost a load. They
// cannot be drained or destroyed, nor be given fixed workers, other limits or
// attributes (ErrSystemQueue); flushing one warns, once, for it waits for everybody's
// work: who has to flush or to limit items makes a queue of his own. They end with the system; who asks for one that was never used after
// that gets a queue that refuses with ErrStopped. Their names are taken:
// NewQueue says ErrExists. Safe for concurrent use. (kernel: system_percpu_wq)
func (s *System) Default() *Queue { return s.system(events) }

// HighPri is the queue "events_highpri": as Default, on pools of high priority,
// which a hog on the normal ones does not delay. (kernel: system_highpri_wq)
func (s *System) HighPri() *Queue { return s.system(eventsHighPri) }

// Long is the queue "events_long": as Default, for items that may take long;
// nobody has to expect of it that it is empty soon. (kernel: system_long_wq)
func (s *System) Long() *Queue { return s.system(eventsLong) }

// Unbound is the queue "events_unbound": it starts every item at once, up to 2048.
// (kernel: system_dfl_wq)
func (s *System) Unbound() *Queue { return s.system(eventsUnbound) }

// UnboundLong is the queue "events_dfl_long": as Unbound, for items that may take
// long. (kernel: system_dfl_long_wq)
func (s *System) UnboundLong() *Queue { return s.system(eventsUnboundLong) }

// Managed is the queue "events_managed": as Default, but of the kind that NewQueue
// makes: a burst from one goroutine uses all CPUs that share a cache. The kernel
// has no such queue.
func (s *System) Managed() *Queue { return s.system(eventsManaged) }

// PowerEfficient is the queue "events_power_efficient": as Default, or as Unbound in
// a system that is to save power (WithPowerEfficient). (kernel:
// system_power_efficient_wq)
func (s *System) PowerEfficient() *Queue { return s.system(eventsPowerEfficient) }

// FreezablePowerEfficient is the queue "events_freezable_pwr_efficient": both.
// (kernel: system_freezable_power_efficient_wq)
func (s *System) FreezablePowerEfficient() *Queue { return s.system(eventsFreezablePowerEfficient) }

// Freezable is the queue "events_freezable": as Default, and Freeze holds what is in
// it. (kernel: system_freezable_wq)
func (s *System) Freezable() *Queue { return s.system(eventsFreezable) }

// BH is the queue "events_bh": for items that are over at once and never sleep.
// (kernel: system_bh_wq)
func (s *System) BH() *Queue { return s.system(eventsBH) }

// BHHighPri is the queue "events_bh_highpri": as BH, of high priority. (kernel:
// system_bh_highpri_wq)
func (s *System) BHHighPri() *Queue { return s.system(eventsBHHighPri) }

// systemQueue finds a system queue by its name.
func systemQueue(name string) (int, bool) {
	for i := range systemQueues {
		if systemQueues[i].name == name {
			return i, true
		}
	}
	return 0, false
}

// system gives a system queue, and makes it if it is not there yet.
func (s *System) system(i int) *Queue {
	if q := s.std[i].Load(); q != nil {
		return q
	}
	def := &systemQueues[i]
	o := queueOptions{QueueOptions: actors.QueueOptions{System: true, FlushWarn: def.flushWarn}}
	for _, set := range def.opts {
		set(&o)
	}
	var q *actors.Queue
	err := o.check()
	if err == nil {
		q, err = s.sys.NewQueue(def.name, o.QueueOptions)
	}
	if errors.Is(err, ErrExists) { // another caller was first
		q, err = s.sys.Queue(def.name), nil
	}
	if err != nil {
		return &Queue{q: s.sys.StoppedQueue(def.name, o.QueueOptions, err), sys: s}
	}
	h := s.handle(q)
	s.std[i].Store(h)
	return h
}
