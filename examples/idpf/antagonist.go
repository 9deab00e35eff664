package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// antagonistEnv tells a process that it is an antagonist, and which.
const antagonistEnv = "CMWQ_IDPF_ANTAGONIST"

// The antagonists: processes that take a CPU from all others.
const (
	none     = "none"
	plain    = "nice 0"
	nicest   = "nice -20"
	realtime = "SCHED_RR"
)

// burners is how many of its threads burn. The report's antagonist left less than 0.5 per
// cent of the CPU to the worker. Beside one thread of nice -20 (weight 88761) a worker of
// nice 0 (1024) is due 1.14 per cent, beside four 0.29; and what it did not use before the
// antagonist came, some milliseconds, is lent to it.
func burners(how string) int {
	if how == nicest {
		return 4
	}
	return 1
}

// antagonist is one that runs.
type antagonist struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// errNotHere: the machine has no such antagonist, or does not allow it.
var errNotHere = errors.New("not to be had here")

// begin starts one on a CPU and waits until it has it. It ends with the process that
// started it, when stop is called, and after its life, whichever comes first.
func begin(ctx context.Context, how string, cpu int, life time.Duration) (*antagonist, error) {
	if how == none {
		return nil, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	a := &antagonist{done: make(chan struct{})}
	a.cmd = exec.CommandContext(ctx, self)
	a.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s/%d/%v", antagonistEnv, how, cpu, life))
	a.cmd.Stderr = os.Stderr
	diesWithUs(a.cmd)
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	started := make(chan error)
	go func() {
		defer close(a.done)
		runtime.LockOSThread() // it dies with the thread that started it, which must stay
		defer runtime.UnlockOSThread()
		if err := a.cmd.Start(); err != nil {
			started <- err
			return
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		if line != "has it\n" {
			err = fmt.Errorf("%w: %s", errNotHere, strings.TrimSpace(line))
		}
		started <- err
		_ = a.cmd.Wait() // it is killed
	}()
	if err := <-started; err != nil {
		a.stop()
		return nil, err
	}
	return a, nil
}

// stop ends it and waits for its end.
func (a *antagonist) stop() {
	if a == nil {
		return
	}
	if a.cmd.Process != nil {
		_ = a.cmd.Process.Kill()
	}
	<-a.done
}
