package topology

import (
	"os"

	"golang.org/x/sys/unix"
	"k8s.io/utils/cpuset"
)

const sysfsRoot = "/sys/devices/system"

func detect(procs int) (*Topology, error) {
	allowed, err := affinity()
	if err != nil {
		return nil, err
	}
	return fromSysfs(sysfs{os.DirFS(sysfsRoot)}, allowed, procs)
}

// affinity returns the CPUs the main thread may run on. The mask belongs to a
// thread, and the calling goroutine's thread may have been bound to one CPU;
// the main thread's is the best word there is on the process.
func affinity() (cpuset.CPUSet, error) {
	mask := unix.NewCPUSet(MaxCPUs) // as large as any kernel's, or the call fails
	if err := unix.SchedGetaffinityDynamic(unix.Getpid(), mask); err != nil {
		return cpuset.CPUSet{}, os.NewSyscallError("sched_getaffinity", err)
	}
	var cpus []int
	for cpu := range MaxCPUs {
		if mask.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpuset.New(cpus...), nil
}
