package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/cmwq/cmwq/internal/threads"
)

// usage is what the threads that run items have had of the CPU, and how long they waited
// for it meanwhile. A bound worker has its thread for itself.
type usage struct {
	before map[int]had // all threads there were; those that are made later begin with nothing
	ran    sync.Map    // by thread: it ran an item
}

// had is a thread's time on a CPU, and its time of waiting for one while it was ready.
type had struct{ ran, waited time.Duration }

func look(thread int) had {
	return had{threads.Clock(thread), threads.LookAt(thread).Waited}
}

// measure begins. Where there is no /proc nothing is measured.
func (u *usage) measure() {
	u.before = map[int]had{}
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, t := range tasks {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			u.before[id] = look(id)
		}
	}
}

// item notes that the thread that calls it runs an item.
func (u *usage) item() { u.ran.Store(threads.ID(), nil) }

// got is the share of the time in which they wanted a CPU that the threads have had one.
func (u *usage) got() float64 {
	var sum had
	u.ran.Range(func(id, _ any) bool {
		now, first := look(id.(int)), u.before[id.(int)]
		sum.ran += max(0, now.ran-first.ran)
		sum.waited += max(0, now.waited-first.waited)
		return true
	})
	return float64(sum.ran) / float64(max(sum.ran+sum.waited, 1))
}

// load is the machine's load average of the last minute, 0 where it is not known.
func load() (x float64) {
	text, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(text), &x)
	return x
}
