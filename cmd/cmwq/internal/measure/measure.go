// Package measure takes the library's prices on the machine it runs on, beside what a
// program would use in its place, in the same minute.
package measure

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// Result is one line of the table: the medians of the rounds.
type Result struct {
	Name  string  `json:"name"`
	What  string  `json:"what"`
	Unit  string  `json:"unit"` // of the numbers: ns for an item, or for a task's wait
	Cmwq  float64 `json:"cmwq"`
	Peer  string  `json:"peer"`
	Other float64 `json:"other"` // what the peer takes
	// Allocations for an item; -1 where they are not counted.
	Allocs float64 `json:"allocs"`
}

// Ratio is this library's number over the peer's.
func (r Result) Ratio() float64 {
	if r.Other == 0 {
		return 0
	}
	return r.Cmwq / r.Other
}

// Options say how long to measure.
type Options struct {
	Rounds int           // of each, interleaved with the peer's
	Time   time.Duration // of one round of one contender
}

// kind is one measurement.
type kind struct {
	name, what string
	run        func(context.Context, Options) ([]Result, error)
}

var kinds = []kind{
	{"item", "a reusable item that does nothing, queued again and again", items},
	{"closure", "a function that does nothing, queued again and again", closures},
	{"result", "a function with a result that is waited for, 1024 under way", results},
	{"latency", "from queueing to start, on an idle pool", latency},
	{"mixed", "10 tasks a ms: 90 % burn 50 µs, 10 % sleep 10 ms; a task's wait to start", mixed},
}

// Names are the measurements there are, with what they are.
func Names() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name+"\t"+k.what)
	}
	return names
}

// Check says whether there is every measurement that is named.
func Check(names []string) error {
	for _, n := range names {
		if !slices.ContainsFunc(kinds, func(k kind) bool { return k.name == n }) {
			return fmt.Errorf("no measurement %q; there are item, closure, result, latency, mixed", n)
		}
	}
	return nil
}

// Run measures what is named, or everything, and tells of each result as it is there.
func Run(ctx context.Context, names []string, o Options, tell func(Result)) error {
	if err := Check(names); err != nil {
		return err
	}
	for _, k := range kinds {
		if len(names) > 0 && !slices.Contains(names, k.name) {
			continue
		}
		rs, err := k.run(ctx, o)
		if err != nil {
			return err
		}
		for _, r := range rs {
			r.Name = k.name
			tell(r)
		}
	}
	return nil
}

// Machine says where it was measured.
func Machine() string {
	return fmt.Sprintf("%s, %s/%s, %d CPUs", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
}

// withQueue gives a managed queue of a system of its own.
func withQueue(ctx context.Context, do func(q *cmwq.Queue) error) error {
	sys, err := cmwq.New()
	if err != nil {
		return err
	}
	q, err := sys.NewQueue("bench")
	if err == nil {
		err = do(q)
	}
	if stop := sys.Stop(context.WithoutCancel(ctx)); err == nil {
		err = stop
	}
	return err
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
