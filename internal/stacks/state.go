package stacks

import (
	"runtime"
	"strings"

	"github.com/cmwq/cmwq/messages"
)

// parked says in Go's own words what a goroutine waits for that stands in one of these
// functions. The innermost that is known decides.
var parked = map[string]string{
	"runtime.chanrecv":                "chan receive",
	"runtime.chansend":                "chan send",
	"runtime.selectgo":                "select",
	"runtime.block":                   "select (no cases)",
	"runtime.gcAssistAlloc":           "GC assist wait",
	"runtime.gcParkAssist":            "GC assist wait",
	"runtime.coroswitch":              "coroutine",
	"time.Sleep":                      "sleep",
	"internal/poll.runtime_pollWait":  "IO wait",
	"internal/poll.(*fdMutex).rwlock": "file lock", // another read or write of the file
	"sync.(*Cond).Wait":               "sync.Cond.Wait",
	"sync.(*WaitGroup).Wait":          "sync.WaitGroup.Wait",
	"sync.(*Mutex).Lock":              "sync.Mutex.Lock",
	"internal/sync.(*Mutex).Lock":     "sync.Mutex.Lock",
	"sync.(*RWMutex).RLock":           "sync.RWMutex.RLock",
	"sync.(*RWMutex).Lock":            "sync.RWMutex.Lock",
	"internal/synctest.Wait":          "synctest.Wait",
}

// state says what a goroutine does, by its stack from the innermost call on.
func state(frames []runtime.Frame) string {
	waits := false
	for i := range frames {
		name := frames[i].Function
		switch {
		case name == "runtime.gopark":
			waits = true
		case waits:
			if s := parked[name]; s != "" {
				return s
			}
			if w := whoseIs(&frames[i]); w == users || w == ours {
				return "waiting"
			}
		case name == "runtime.cgocall":
			return "cgo call"
		case isSyscall(name):
			return "syscall"
		case whoseIs(&frames[i]) != runtimes:
			return messages.OnCPU
		}
	}
	if waits {
		return "waiting"
	}
	return messages.OnCPU
}

// isSyscall says whether a function is a call of the operating system.
func isSyscall(name string) bool {
	pkg := packageOf(name)
	f := strings.TrimPrefix(name[len(pkg):], ".")
	switch {
	case pkg == "syscall", within(pkg, "internal/runtime/syscall"), pkg == "golang.org/x/sys/unix":
		f = strings.ToLower(strings.TrimPrefix(f, "Raw"))
		return strings.HasPrefix(f, "syscall") || strings.HasPrefix(f, "raw")
	}
	return false
}
