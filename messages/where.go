package messages

import (
	"fmt"
	"strings"
	"time"
)

// Where is where the goroutine of an item is.
type Where struct {
	State string  `json:"state"`          // running, or what it is blocked in, in the words of Go's own traces: chan receive, select, sync.Mutex.Lock, IO wait, sleep, syscall...
	Func  string  `json:"func"`           // the innermost function that is the user's
	File  string  `json:"file"`           // the line of it that is being executed
	Line  int     `json:"line"`           //
	Call  string  `json:"call,omitempty"` // what that line called, and has not come back from; "" if it runs itself
	Stack []Frame `json:"stack,omitempty"`
}

// Frame is one call of a stack.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// OnCPU is the State of an item that is not blocked: it has a CPU, or waits for one.
const OnCPU = "running"

// Blocked says whether the item waits for anything but a CPU.
func (w *Where) Blocked() bool { return w.State != OnCPU }

// String is "blocked in chan receive at fetch.go:12 in main.fetch", or "running in
// main.hash at hash.go:30"; a call of a library is named, too.
func (w *Where) String() string {
	at := fmt.Sprintf("%s:%d", w.File, w.Line)
	switch {
	case !w.Blocked() && w.Call == "":
		return fmt.Sprintf("running in %s at %s", w.Func, at)
	case !w.Blocked():
		return fmt.Sprintf("running in %s at %s in %s", w.Call, at, w.Func)
	case w.Call == "", w.Call == "time.Sleep", plain(w.Call) == w.State:
		return fmt.Sprintf("blocked in %s at %s in %s", w.State, at, w.Func)
	default:
		return fmt.Sprintf("blocked in %s (%s) at %s in %s", w.State, w.Call, at, w.Func)
	}
}

// plain is a method's name without the pointer: sync.(*Mutex).Lock is sync.Mutex.Lock.
func plain(name string) string { return strings.NewReplacer("(*", "", ")", "").Replace(name) }

// Diagnosis says of every item in flight where it is.
type Diagnosis struct {
	At     time.Time     `json:"at"`     // of what runs
	Looked time.Time     `json:"looked"` // of Where: at, or a little before it; zero if nobody has looked yet
	Took   time.Duration `json:"took_ns"`
	Next   time.Time     `json:"next"` // when it may be looked again
	Items  []Diagnosed   `json:"items,omitempty"`
}

// Diagnosed is an item in flight and where it is.
type Diagnosed struct {
	Queue string `json:"queue"`
	Pool  string `json:"pool"` // name of the pool
	InFlight
	Where *Where `json:"where,omitempty"` // nil: it began after the look, or has not begun
}

// String is the item in a line, and where it is in the end.
func (d *Diagnosed) String() string {
	s := Clean(d.Queue) + ": " + d.InFlight.String()
	if d.Where != nil {
		s += ", " + d.Where.String()
	}
	return s
}
