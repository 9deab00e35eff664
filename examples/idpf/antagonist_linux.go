package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func diesWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// antagonistMain is the antagonist's process. It says so when it has its CPU, and burns
// until it is killed, or for its life.
func antagonistMain(how string) {
	var cpu int
	var life time.Duration
	what := strings.Split(how, "/")
	err := errors.New("no antagonist")
	if len(what) == 3 {
		cpu, err = strconv.Atoi(what[1])
		life, _ = time.ParseDuration(what[2])
	}
	if err == nil {
		err = take(what[0], cpu)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	// Were the clock below to fail, the kernel counts seconds of CPU.
	limit := uint64(life/time.Second) + 1
	_ = unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: limit, Max: limit})
	parent := os.Getppid()
	start := time.Now()
	burn := func() {
		for time.Since(start) < life && os.Getppid() == parent {
		}
		os.Exit(0)
	}
	runtime.GOMAXPROCS(burners(what[0]))
	for range burners(what[0]) - 1 {
		started := make(chan error)
		go func() {
			started <- take(what[0], cpu)
			burn()
		}()
		if err := <-started; err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	fmt.Println("has it")
	burn()
}

// take has this goroutine's thread take a CPU, and its children with it.
func take(how string, cpu int) error {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return os.NewSyscallError("sched_setaffinity", err)
	}
	switch how {
	case plain:
		return nil
	case nicest:
		return os.NewSyscallError("setpriority", unix.Setpriority(unix.PRIO_PROCESS, 0, -20))
	case realtime:
		return os.NewSyscallError("sched_setattr", unix.SchedSetAttr(0,
			&unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1}, 0))
	default:
		return errors.New("there is no such thing")
	}
}
