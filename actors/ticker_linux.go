package actors

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// timerfdSource ticks by a timerfd in the netpoller: an idle process is woken on
// time by the kernel, where a runtime timer below a millisecond is rounded up.
// When every CPU is busy it is late, by up to 10 ms.
type timerfdSource struct{ gauges }

// DefaultSource gives the best source of the operating system.
func DefaultSource() Source { return timerfdSource{} }

// NewTimer opens a timerfd and starts its reader.
func (timerfdSource) NewTimer(fire func(), run func(func())) (Timer, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	t := &timerfd{os.NewFile(uintptr(fd), "cmwq-tick"), fd}
	run(func() {
		var b [8]byte
		for {
			if _, err := t.file.Read(b[:]); err != nil {
				return // closed
			}
			fire()
		}
	})
	return t, nil
}

type timerfd struct {
	file *os.File
	fd   int
}

func (t *timerfd) Arm(d time.Duration) {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	_ = unix.TimerfdSettime(t.fd, 0, &spec, nil) // fails only after Close
}

func (t *timerfd) Close() error { return t.file.Close() }
