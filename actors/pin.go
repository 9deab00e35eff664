package actors

import (
	"fmt"
	"log/slog"
	"sync/atomic"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/threads"
	"github.com/cmwq/cmwq/messages"
)

// pin is where the workers of a pool run that have threads of their own, and at what
// priority.
type pin struct {
	sys  *System                       // I:
	pool string                        // I: its name
	pod  cpuset.CPUSet                 // I:
	all  cpuset.CPUSet                 // I: where they may run, while the CPU is up
	nice int                           // I:
	cpus atomic.Pointer[cpuset.CPUSet] // A: where they may run now; written by P
	told atomic.Bool                   // A: that it does not work
}

// pinnable says why threads cannot be bound to the system's CPUs. It asks on a thread
// that ends with the question.
func (s *System) pinnable() error {
	reply := make(chan error)
	s.disp.ownThread(func() { reply <- threads.Check(s.opts.Topology.CPUs()) })
	if err := <-reply; err != nil {
		return fmt.Errorf("%w: %w", messages.ErrPinning, err)
	}
	return nil
}

// pin says how a pool's workers are pinned, nil if they are not: those of a CPU always
// are, others if a queue asked for what only threads have: priority, CPUs, a pod that is
// not left.
func (s *System) pin(p *pool) *pin {
	if !s.opts.Pinning {
		return nil
	}
	n := &pin{sys: s, pool: p.name, pod: p.pod, all: p.pod, nice: p.key.nice}
	switch p.key.kind {
	case policy.PerCPU:
		if n.nice = 0; p.high {
			n.nice = highNice
		}
	case policy.Managed, policy.Unbound:
		if !p.key.strict {
			n.all, _ = cpuset.Parse(p.key.cpus) // as the system wrote it
		}
		if n.nice == 0 && !p.key.strict && n.all.Equals(s.opts.Topology.CPUs()) {
			return nil
		}
	case policy.BH, policy.Fixed:
		return nil
	}
	n.cpus.Store(&n.all)
	return n
}

// mostThreads is how many pinned workers there may be: a Go program that has more than
// 10 000 threads is ended by its runtime.
const mostThreads = 8000

// room says why there may not be another thread.
func (n *pin) room() error {
	if n != nil && n.sys.threads.Load() >= mostThreads {
		return fmt.Errorf("pinned workers have all the threads that they may have: %d", mostThreads)
	}
	return nil
}

// bind moves a thread to where it may run now, and again if that changes meanwhile.
func (n *pin) bind(thread int) {
	for {
		cpus := n.cpus.Load()
		if err := threads.Bind(thread, *cpus); err != nil {
			n.warn("a worker could not be bound to its CPUs", err)
		}
		if n.cpus.Load() == cpus {
			return
		}
	}
}

// renice gives the calling thread its priority, if that may be.
func (n *pin) renice() {
	if n.nice == 0 {
		return
	}
	if err := threads.SetNice(threads.Self, n.nice); err != nil && !n.sys.meek.Swap(true) {
		n.warn("workers of high priority have none: that takes CAP_SYS_NICE, or a limit on nice", err)
	}
}

// warn logs it, once for the pool: a logger may block, and a worker should not.
func (n *pin) warn(what string, err error) {
	if n.told.Swap(true) {
		return
	}
	n.sys.disp.Schedule(func() {
		n.sys.log.Warn(what, slog.String("pool", n.pool), slog.Int("nice", n.nice), slog.Any("err", err))
	})
}

// movePinned lets the pool's workers run anywhere while its CPU is down, and has them come
// back. (kernel: unbind_worker, rebind_workers)
func (p *pool) movePinned(up bool) {
	p.pin.place(up)
	for _, w := range p.workers {
		if w != nil {
			p.bound(w)
		}
	}
}

// bound has a worker's thread run where the pool's may, also one that was made while that
// changed. A thread that has not begun looks for itself.
func (p *pool) bound(w *worker) {
	if w.thread == nil {
		return
	}
	if id := w.thread.id.Load(); id != 0 {
		p.pin.bind(int(id))
	}
}

func (n *pin) place(up bool) {
	to := n.all
	if !up {
		to = n.sys.opts.Topology.CPUs()
	}
	n.cpus.Store(&to)
}
