package cmwq

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// Option changes how a system is started.
type Option func(*actors.Options) error

// WithTopology replaces the detected CPUs, for tests and simulation. Managed
// pools get a width of their pod's size. Such CPUs do not follow GOMAXPROCS: see SetOnline.
func WithTopology(t *topology.Topology) Option {
	return func(o *actors.Options) error {
		if t == nil {
			return fmt.Errorf("%w: WithTopology(nil)", messages.ErrOption)
		}
		o.Topology = t
		return nil
	}
}

// WithScope chooses the groups of CPUs that get a pool each; the default is
// topology.ScopeCacheShard.
func WithScope(s topology.Scope) Option {
	return func(o *actors.Options) error {
		if !s.Valid() {
			return fmt.Errorf("%w: WithScope(%v)", messages.ErrOption, s)
		}
		o.Scope = s
		return nil
	}
}

// WithLogger says where warnings go; the default is slog.Default.
func WithLogger(l *slog.Logger) Option {
	return func(o *actors.Options) error { o.Logger = l; return nil }
}

// WithHogThreshold changes how long a managed item may hold a CPU before it
// leaves the count. The default is 10 ms; 0 turns it off.
// (kernel: workqueue.cpu_intensive_thresh_us)
func WithHogThreshold(d time.Duration) Option {
	return func(o *actors.Options) error {
		if d < 0 {
			return fmt.Errorf("%w: WithHogThreshold(%v)", messages.ErrOption, d)
		}
		o.HogThreshold = d
		if d == 0 {
			o.HogThreshold = -1
		}
		return nil
	}
}

// WithMaxWorkers limits the workers of each pool; the default, and the most, is
// 64512. A rescuer does not count (see MemReclaim).
func WithMaxWorkers(n int) Option {
	return func(o *actors.Options) error {
		if n < 1 || n > messages.MaxWorkers-messages.MaxRescuers {
			return fmt.Errorf("%w: WithMaxWorkers(%d)", messages.ErrOption, n)
		}
		o.MaxWorkers = n
		return nil
	}
}

// WithPortableTick ticks by runtime timers instead of Linux's timerfd: needed in
// a testing/synctest bubble, where nothing may wait outside.
func WithPortableTick() Option {
	return func(o *actors.Options) error { o.Source = actors.PortableSource(); return nil }
}

// WithOnFailure is told of every item that failed, one after the other for each queue, on
// the goroutine of its actor as a rule; it must not block. The default, and what nil means, logs a warning. Of
// an item whose queue has a strategy (Supervise) it is told what that reports: the last
// failure, or none.
func WithOnFailure(f func(queue string, err error)) Option {
	return func(o *actors.Options) error {
		if o.OnFailure = nil; f == nil {
			return nil
		}
		o.OnFailure = func(q *actors.Queue, m *messages.Failed) { f(q.Name(), m.Err) }
		return nil
	}
}

// QueueOption changes what a queue is.
type QueueOption func(*queueOptions)

type queueOptions struct {
	actors.QueueOptions
	kinds       kindSet
	nice, attrs bool // Nice was given; or any attribute
	bounded     bool // Bounded was
	strategyErr error
}

func (o *queueOptions) check() error {
	if err := o.checkKinds(); err != nil {
		return err
	}
	if o.strategyErr != nil {
		return o.strategyErr
	}
	if o.Kind == actors.Ordered && o.MaxActive > 1 {
		return fmt.Errorf("%w: an ordered queue has MaxActive 1", messages.ErrOption)
	}
	if o.PowerEfficient {
		if o.kinds > 0 && o.Kind != actors.PerCPU {
			return fmt.Errorf("%w: PowerEfficient excludes Unbound and Ordered", messages.ErrOption)
		}
		o.Kind = actors.PerCPU // unless the system makes it unbound
	} else if o.Kind == actors.PerCPU && o.attrs {
		return messages.ErrPerCPU
	}
	if err := o.checkMin(); err != nil {
		return err
	}
	if err := o.checkBound(); err != nil {
		return err
	}
	if o.Paced {
		if err := actors.CheckRate(o.PerSecond, o.Burst); err != nil {
			return err
		}
	}
	if o.HighPri && !o.nice {
		o.Attrs.Nice = -20
	}
	if err := o.checkLimits(); err != nil {
		return err
	}
	return o.checkAttrs()
}

func kind(k actors.Kind) QueueOption {
	return func(o *queueOptions) { o.Kind = k; o.kinds |= 1 << k }
}

// PerCPU serves the queue with a pool of width 1 for each CPU: an item starts
// when the one before it on that CPU ends or blocks. (kernel: WQ_PERCPU)
func PerCPU() QueueOption { return kind(actors.PerCPU) }

// Unbound starts every item at once, up to MaxActive. (kernel: WQ_UNBOUND)
func Unbound() QueueOption { return kind(actors.Unbound) }

// Ordered runs one item at a time, in the order of queueing.
// (kernel: alloc_ordered_workqueue)
func Ordered() QueueOption { return kind(actors.Ordered) }

// HighPri serves the queue with pools of its own kind that have nothing to do
// with the normal ones. (kernel: WQ_HIGHPRI)
func HighPri() QueueOption { return func(o *queueOptions) { o.HighPri = true } }

// CPUIntensive items do not hold others up: a worker that runs one leaves the
// count. Starting one waits its turn. (kernel: WQ_CPU_INTENSIVE)
func CPUIntensive() QueueOption { return func(o *queueOptions) { o.CPUIntensive = true } }

// MaxActive limits the items of the queue that execute at a time, in the whole
// system, or on each CPU for PerCPU queues. Blocked ones count. The default, and
// what 0 means, is 1024; the most is 2048; others are clamped with a warning.
func MaxActive(n int) QueueOption { return func(o *queueOptions) { o.MaxActive = n } }
