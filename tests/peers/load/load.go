// Package load has the workloads, one file each. A workload runs one system once and
// says what it measured; repeating, comparing and judging are others' concern.
package load

import (
	"errors"
	"slices"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// A Figure is something that a workload measures.
type Figure struct {
	Name string // short, unique in its workload
	Unit string // ns, ms, B, %, ...
	Up   bool   // more is better
}

// A Workload measures a system. The first figure is the one that systems are compared by.
type Workload struct {
	ID      string // as on the command line: c+2
	Group   string // the one that -only names as well: c
	Title   string
	Figures []Figure
	// Exact is what comes out the same each time: one repetition is enough.
	Exact bool
	// Skip says why a system cannot be compared here, or "".
	Skip func(s system.System) string
	// Run gives a value for each figure, or says why the system has failed.
	Run func(env Env, s system.System) ([]float64, error)
}

// Env is what all cells of a run share.
type Env struct {
	Limit   int           // runnable tasks: GOMAXPROCS
	Quick   bool          // sizes for a look, not for a claim
	Divide  int           // sizes are smaller by this still, for tests; 0 is 1
	Timeout time.Duration // after which tasks that have not run are lost
}

// ErrLost is a cell of which not every task has run, or one has run twice.
var ErrLost = errors.New("not every task has run once")

// pick is the full size of a workload or the quick one.
func (e Env) pick(full, quick int) int {
	if e.Quick {
		return max(quick/max(e.Divide, 1), 1)
	}
	return full
}

// span is a time of a workload: half of it for a quick look, and still less for tests.
func (e Env) span(d time.Duration) time.Duration {
	if e.Quick {
		d /= 2
	}
	return d / time.Duration(max(e.Divide, 1))
}

// warmUp is how many tasks a system runs before it is measured.
func (e Env) warmUp() int { return e.pick(50_000, 10_000) }

// long gives how many tasks take about 100 ms (a quick look: 10), if so many took
// that long: a system is measured for as long as another one.
func (e Env) long(tasks int, took time.Duration) int {
	want := time.Duration(e.pick(100, 10)) * time.Millisecond
	n := int(float64(tasks) * float64(want) / float64(max(took, 1)))
	return min(max(n, tasks), e.pick(10_000_000, 500_000))
}

// make gives an executor for tasks that may sleep and hog.
func (e Env) make(s system.System) (system.Executor, error) {
	return s.Make(system.Setup{Limit: e.Limit})
}

// All gives every workload, in the order of the report.
func All() []Workload {
	return slices.Concat(nops(), results(), efficiency(), mixed(), headOfLine(), memory(), timers(), idle(),
		scaling(), fairness(), full(), garbage(), millions(), scopes())
}

// anything compares every system that runs tasks.
func anything(s system.System) string {
	if s.Make == nil {
		return "it has only timers"
	}
	return ""
}

// pools compares those that can run several tasks at a time.
func pools(s system.System) string {
	if s.Single {
		return "it runs one task at a time"
	}
	return anything(s)
}
