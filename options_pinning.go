package cmwq

import (
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Thread is what the operating system says of a pinned worker's thread, in an InFlight and
// in a Hog: how long it ran, and how long others had its CPU. See WithPinning.
type Thread = messages.Thread

// WithPinning gives workers threads of their own, on Linux; elsewhere, and where threads
// may not be bound to each of the system's CPUs, New and Start return ErrPinning.
//
// Each worker of a per-CPU queue is locked to a thread that is bound to its CPU; those of
// HighPri queues run at nice -20. Workers of managed, unbound and ordered queues have
// threads if the queue asks for what only threads have: Nice or HighPri, CPUs, or strict
// Affinity. Of other queues, of BH queues and fixed workers nothing changes, nor of rescuers.
//
// Nice below 0 takes CAP_SYS_NICE or room in RLIMIT_NICE: without it that is logged once,
// and those workers run at 0. Where /proc/sys/kernel/sched_autogroup_enabled is 1, nice
// counts among processes of one session only.
//
// What it is for is that nothing is better for being moved: code that must run on a CPU,
// or before others. The price is high; see the package's "Pinned workers".
// (kernel: bound workers, workqueue_attrs.nice)
func WithPinning() Option {
	return func(o *actors.Options) error { o.Pinning = true; return nil }
}
