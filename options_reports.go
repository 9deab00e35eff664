package cmwq

import (
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

type (
	// Stall is a pool where work waits and nothing starts: see WithOnStall.
	Stall = messages.Stall
	// PendingRuns are a queue's items that wait in a pool, in a Stall.
	PendingRuns = messages.PendingRuns
	// Hog is a function that holds CPUs for too long, again and again: see WithOnHog.
	Hog = messages.Hog
)

// WithOnStall is told of every stall that the watchdog finds (see WithWatchdog), after it
// was logged: what the pool is, what it runs and where each of that is, and what waits.
// Items have no Where if profiles have had their share of the CPU (see Diagnose), or if
// there are more than 50 000 goroutines, which nobody looks through unasked.
//
// f is called by one goroutine at a time, which no actor waits for, and which is also the
// one of WithOnHog and of the reports' log records; so it may take its time, but when 64
// reports wait, further ones are not told, and the next one has their number in Missed.
// A panic is logged. Stop waits until it has returned: it must not call Stop and wait.
//
// There is no option that ends the program at a stall, as the kernel's panic_on_stall
// and panic_on_stall_time do: a library should not, and f can, when Reports or Hung is
// enough.
// (kernel: the report of wq_watchdog_timer_fn)
func WithOnStall(f func(Stall)) Option {
	return func(o *actors.Options) error { o.OnStall = f; return nil }
}

// WithOnHog is told of functions that hold a CPU for too long, when that is logged: see
// WithHogReport for how often. The item has a Where if it is still at it, as in
// WithOnStall, which says how f is called, too.
// (kernel: wq_cpu_intensive_report)
func WithOnHog(f func(Hog)) Option {
	return func(o *actors.Options) error { o.OnHog = f; return nil }
}

// WithProfileLabels labels the goroutines of workers with the queue that they work for
// (workqueue=name), beside the labels that they always have: kworker=kworker/0:1 and the
// number of the system, cmwq=1. So profiles of CPU, goroutines and the like tell what is spent
// on each queue, with
//
//	go tool pprof -tagfocus workqueue=thumbnails cpu.out
//
// Goroutines that an item starts inherit the labels, and pprof.Do(ctx, ...) with the
// item's Context adds to them. About 20 ns a lease, not an item, and as much again when a
// worker comes to another queue.
func WithProfileLabels() Option {
	return func(o *actors.Options) error { o.ProfileLabels = true; return nil }
}
