package messages

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Phase is what an item was at when its time was up.
type Phase uint8

const (
	// PhaseWaiting: it had not begun.
	PhaseWaiting Phase = iota + 1
	// PhaseRunning: its function had been called.
	PhaseRunning
)

// String is waiting or running.
func (p Phase) String() string {
	switch p {
	case PhaseWaiting:
		return "waiting"
	case PhaseRunning:
		return "running"
	default:
		return fmt.Sprintf("Phase(%d)", uint8(p))
	}
}

// TimeoutError is the failure of an item that waited or ran for too long, and the
// cause of the context of one that runs. It is a context.DeadlineExceeded.
type TimeoutError struct {
	Phase Phase
	Queue string
	Limit time.Duration // how long it might; 0: it was the submitter's deadline
	Took  time.Duration // how long it waited or ran; as a context's cause, until then
	Err   error         // what the function returned in the end, if it was an error of its own
	Code  uintptr       // of the function
}

// Func is the function's name.
func (e *TimeoutError) Func() string {
	if f := runtime.FuncForPC(e.Code); f != nil {
		return f.Name()
	}
	return "unknown"
}

func (e *TimeoutError) Error() string {
	what := "waited"
	if e.Phase == PhaseRunning {
		what = "ran"
	}
	s := fmt.Sprintf("cmwq: work of queue %q %s %v", e.Queue, what, e.Took)
	if e.Limit > 0 {
		s += fmt.Sprintf(", the limit is %v", e.Limit)
	} else {
		s += ", until its submitter's deadline"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Is makes it a context.DeadlineExceeded.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout says that it is one, as net.Error and os.IsTimeout have it.
func (e *TimeoutError) Timeout() bool { return true }

// Unwrap gives the function's own error.
func (e *TimeoutError) Unwrap() error { return e.Err }
