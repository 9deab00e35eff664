package threads

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/topology"
)

// Check says why threads of this process cannot be bound to each of these CPUs, nil if
// they can: some are not there, or are another's. No privilege is needed for that.
//
// It binds the calling thread to all of them, and waits for none: one may be taken.
func Check(cpus cpuset.CPUSet) error {
	if err := Bind(Self, cpus); err != nil {
		return err
	}
	got, err := Bound(Self)
	if err != nil {
		return err
	}
	if lack := cpus.Difference(got); !lack.IsEmpty() {
		return fmt.Errorf("sched_setaffinity: this process may not use CPU %v", lack)
	}
	return nil
}

// ID is the calling thread's. The goroutine is locked to it.
func ID() int { return unix.Gettid() }

// Main says whether the calling thread is the process's first one.
func Main() bool { return unix.Gettid() == unix.Getpid() }

// Bind lets a thread run on these CPUs alone, at once.
func Bind(thread int, cpus cpuset.CPUSet) error {
	mask := unix.NewCPUSet(topology.MaxCPUs)
	for _, cpu := range cpus.UnsortedList() {
		mask.Set(cpu)
	}
	return os.NewSyscallError("sched_setaffinity", unix.SchedSetaffinityDynamic(thread, mask))
}

// Bound gives the CPUs that a thread may run on.
func Bound(thread int) (cpuset.CPUSet, error) {
	mask := unix.NewCPUSet(topology.MaxCPUs)
	if err := unix.SchedGetaffinityDynamic(thread, mask); err != nil {
		return cpuset.CPUSet{}, os.NewSyscallError("sched_getaffinity", err)
	}
	var cpus []int
	for cpu := range topology.MaxCPUs {
		if mask.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpuset.New(cpus...), nil
}

// CPU is where the calling thread runs, -1 if nobody says.
func CPU() int {
	var cpu, node uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), uintptr(unsafe.Pointer(&node)), 0); e != 0 {
		return -1
	}
	return int(cpu)
}

// SetNice changes a thread's priority, from -20 to 19. Below what it is takes
// CAP_SYS_NICE or room in RLIMIT_NICE.
func SetNice(thread, nice int) error {
	return os.NewSyscallError("setpriority", unix.Setpriority(unix.PRIO_PROCESS, thread, nice))
}

// GetNice gives it.
func GetNice(thread int) (int, error) {
	n, err := unix.Getpriority(unix.PRIO_PROCESS, thread) // 20-nice, as the system call has it
	return 20 - n, os.NewSyscallError("getpriority", err)
}

// Clock is how long a thread of this process has had a CPU, 0 if there is none such. It
// is exact, also of one that runs. 0.3 µs.
func Clock(thread int) time.Duration {
	clock := int32(unix.CLOCK_THREAD_CPUTIME_ID)
	if thread != Self {
		clock = int32(^thread)<<3 | perThread
	}
	var t unix.Timespec
	if unix.ClockGettime(clock, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// perThread marks the CPU clock of a thread, as the scheduler counts.
const perThread = 4 | 2
