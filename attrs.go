package cmwq

import (
	"context"
	"fmt"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// Nice is the priority of the threads that run the queue's items, from -20 to 19;
// HighPri alone means -20. Queues with different values have different pools, and
// that is all it does unless workers have threads (WithPinning): goroutines have no
// priority. (kernel: workqueue_attrs.nice)
func Nice(n int) QueueOption {
	return func(o *queueOptions) { o.Attrs.Nice, o.nice, o.attrs = n, true, true }
}

// CPUs serves the queue with these logical CPUs alone. What of the set the system
// does not allow (SetUnboundMask) is left out, and all of the set if nothing
// remains: then the queue has what the system allows. The empty set, the default,
// is all CPUs. (kernel: workqueue_attrs.cpumask)
func CPUs(set cpuset.CPUSet) QueueOption {
	return func(o *queueOptions) { o.Attrs.CPUs, o.attrs = set, true }
}

// Affinity chooses the groups of CPUs that get a pool each; topology.ScopeDefault
// follows the system's (SetDefaultScope). strict says that pinned workers stay
// within their group even when its CPUs are busy; strict queues have pools of
// their own. (kernel: affinity_scope, affinity_strict)
func Affinity(scope topology.Scope, strict bool) QueueOption {
	return func(o *queueOptions) { o.Attrs.Scope, o.Attrs.Strict, o.attrs = scope, strict, true }
}

// PowerEfficient makes the queue per-CPU, or unbound in a system that is to save
// power (WithPowerEfficient): items then start where a CPU is awake.
// (kernel: WQ_POWER_EFFICIENT)
func PowerEfficient() QueueOption {
	return func(o *queueOptions) { o.PowerEfficient = true }
}

// WithPowerEfficient says what PowerEfficient queues are: unbound if on, per-CPU
// otherwise, which is the default. (kernel: workqueue.power_efficient)
func WithPowerEfficient(on bool) Option {
	return func(o *actors.Options) error { o.PowerEfficient = on; return nil }
}

// WithRoundRobin sends each item whose queuer named no CPU to another CPU than the
// one before, to find work that counts on running near its queuer. It costs
// locality, and warns once. Per-CPU queues do not take part.
// (kernel: workqueue.debug_force_rr_cpu)
func WithRoundRobin() Option {
	return func(o *actors.Options) error { o.RoundRobin = true; return nil }
}

// checkAttrs says what is wrong with the attributes.
func (o *queueOptions) checkAttrs() error {
	switch a := o.Attrs; {
	case a.Nice < -20 || a.Nice > 19:
		return fmt.Errorf("%w: Nice(%d)", messages.ErrOption, a.Nice)
	case !a.Scope.Valid():
		return fmt.Errorf("%w: Affinity(%v)", messages.ErrOption, a.Scope)
	}
	return nil
}

// SetAttrs changes Nice, CPUs and Affinity of a live queue, those that are given;
// other options are ErrOption, and so is a value out of range. Items that were
// queued before finish on the pools they are on, while newer ones may start
// elsewhere; an ordered queue goes on in order, one at a time. Either all changes
// are made or, if the error is not nil, none; but when ctx ends first the change
// goes on. It makes pools, and costs about as much as a new queue. ErrPerCPU for a
// per-CPU queue, ErrSystemQueue. An item may call it for its own queue.
// (kernel: apply_workqueue_attrs)
func (q *Queue) SetAttrs(ctx context.Context, opts ...QueueOption) error {
	change, err := changeAttrs(opts)
	if err != nil {
		return err
	}
	return q.q.SetAttrs(ctx, change)
}

// changeAttrs is what options do to a queue's attributes.
func changeAttrs(opts []QueueOption) (func(*policy.Attrs), error) {
	var o queueOptions
	for _, set := range opts {
		set(&o)
	}
	if err := o.checkAttrs(); err != nil {
		return nil, err
	}
	if o.other() {
		return nil, fmt.Errorf("%w: SetAttrs takes Nice, CPUs and Affinity", messages.ErrOption)
	}
	return func(a *policy.Attrs) {
		now := queueOptions{QueueOptions: actors.QueueOptions{Attrs: *a}}
		for _, set := range opts {
			set(&now)
		}
		*a = now.Attrs
	}, nil
}

// AttrsMessage is SetAttrs as a message to the queue's PID. Errors are those of the
// options; what the queue says of it comes in a *messages.AttrsSet.
func AttrsMessage(opts ...QueueOption) (*messages.SetAttrs, error) {
	change, err := changeAttrs(opts)
	if err != nil {
		return nil, err
	}
	return &messages.SetAttrs{Change: change}, nil
}

// other says whether anything but attributes is set.
func (o *queueOptions) other() bool {
	q := o.QueueOptions
	return o.kinds > 0 || q.PowerEfficient || q.HighPri || q.CPUIntensive || q.MaxActive != 0 ||
		q.MinActive != 0 || q.MemReclaim || q.Freezable || q.Shutdown != nil
}

// Attrs are a queue's attributes as asked for.
type Attrs struct {
	Nice   int
	CPUs   cpuset.CPUSet // empty: all
	Scope  topology.Scope
	Strict bool
}

// Attrs gives the queue's attributes; what the system allows of them may be less.
func (q *Queue) Attrs() Attrs { return Attrs(q.q.Attrs()) }

// SetUnboundMask changes which logical CPUs may serve queues that are not per-CPU,
// while work flows, as SetAttrs does. CPUs that the system does not have are left
// out; topology.ErrNoCPU, and nothing changes, if none remains. When ctx ends first it
// returns context.Cause(ctx), and the change goes on; ErrStopped. A message or two a
// queue. (kernel: /sys/devices/virtual/workqueue/cpumask)
func (s *System) SetUnboundMask(ctx context.Context, mask cpuset.CPUSet) error {
	return s.sys.SetUnboundMask(ctx, mask)
}

// SetDefaultScope changes the groups of CPUs of queues that did not choose with
// Affinity, while work flows. ErrOption for ScopeDefault and values that are no
// scope; else as SetUnboundMask. (kernel: workqueue.default_affinity_scope)
func (s *System) SetDefaultScope(ctx context.Context, scope topology.Scope) error {
	return s.sys.SetDefaultScope(ctx, scope)
}
