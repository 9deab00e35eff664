package topology

import (
	"runtime"

	"k8s.io/utils/cpuset"
)

// Detect describes the CPUs that this process may use.
//
// On Linux they are those of the affinity mask of the process's main thread,
// and sysfs says how they are grouped. A sysfs that is missing, partial or
// wrong makes the groups coarser and is no error: without caches each node is
// one, without nodes the machine is one, without siblings each CPU is a core.
// On other systems the machine is one node with one cache and
// [runtime.NumCPU] cores.
//
// When [runtime.GOMAXPROCS] is smaller than the number of these CPUs, which it
// is by default in a Linux container with a CPU limit, only the lowest
// GOMAXPROCS of them are kept. When it is larger nothing is added.
//
// The error is that of the system call that reads the mask, or [ErrNoCPU] if
// the mask has no CPU below [MaxCPUs]. Detect reads the machine anew each time
// and may be called from any goroutine; it takes 0.1 to 0.2 ms a core for
// reading files, so call it once and keep the result. Later changes of the
// mask, of GOMAXPROCS or of the CPUs online are not seen.
func Detect() (*Topology, error) {
	return detect(runtime.GOMAXPROCS(0))
}

// fromSysfs is Detect on what it was told: the allowed CPUs, the description of
// the machine, and GOMAXPROCS.
func fromSysfs(s sysfs, allowed cpuset.CPUSet, procs int) (*Topology, error) {
	if allowed.IsEmpty() {
		return nil, ErrNoCPU
	}
	return build(s.read(allowed)).Restrict(procs), nil
}
