package cmwq

import (
	"context"

	"k8s.io/utils/cpuset"
)

// SetOnline says which logical CPUs are up; at first all are. A system that found its CPUs
// itself does the same when GOMAXPROCS changes, which the runtime does, too, when the CPU
// limit of the process's cgroup changes: the lowest GOMAXPROCS of those that it found are
// up. That is noticed within a second, while items run; the last of the two holds. CPUs that the system
// does not have are left out; topology.ErrNoCPU, and nothing changes, if none
// remains. Work goes on meanwhile. When ctx ends first it returns context.Cause(ctx),
// and the change goes on; ErrStopped.
//
// The pools of a CPU that goes down go on with what they have and with what is
// queued for the CPU later, without concurrency management: every item starts at
// once. When it is up again they are managed as before; items that run then are not
// counted until they end. Queues that are not per-CPU leave the CPU: pods without a
// CPU are served by others, managed pools get as many items at once as CPUs are up,
// and parts of MaxActive (MinActive) are divided anew. Items whose queuer names no
// CPU go to one that is up.
// (kernel: CPU hotplug, workqueue_offline_cpu and workqueue_online_cpu)
func (s *System) SetOnline(ctx context.Context, cpus cpuset.CPUSet) error {
	return s.sys.SetOnline(ctx, cpus)
}
