package messages

import "time"

// Stall is a pool where work waits and nothing starts.
type Stall struct {
	At      time.Time     `json:"at"`
	Pool    PoolSnapshot  `json:"pool"`
	Hung    time.Duration `json:"hung_ns"` // without progress for at least so long
	Running []Diagnosed   `json:"running,omitempty"`
	Pending []PendingRuns `json:"pending,omitempty"`

	Reports int `json:"reports"`          // stalls that were reported since the system started, with this one
	Missed  int `json:"missed,omitempty"` // reports before this one that were not told: who is told them was too slow
}

// PendingRuns are a queue's items on a pool's worklist.
type PendingRuns struct {
	Queue string `json:"queue"`
	Runs  []Run  `json:"runs"`
}

// Hog is a function that was declared a CPU hog, again and again.
type Hog struct {
	At        time.Time     `json:"at"`
	Func      string        `json:"func"`
	Queue     string        `json:"queue"` // of the item that was declared one this time
	Pool      string        `json:"pool"`
	Worker    string        `json:"worker"`
	Threshold time.Duration `json:"threshold_ns"`     // an item that holds a CPU for so long is one
	Times     int           `json:"times"`            // so often it was, on any queue
	Where     *Where        `json:"where,omitempty"`  // nil: it had ended when somebody looked
	Thread    *Thread       `json:"thread,omitempty"` // of a pinned worker, nil of others
	Advice    string        `json:"advice"`
	Missed    int           `json:"missed,omitempty"` // as in Stall
}

// What to do about a hog, and about one that only waits and has not said so: clocks do not
// tell them apart, a look at the goroutine does. UnseenAdvice is given when the item had
// ended before the look, or none was allowed that soon.
const (
	HogAdvice    = "consider an Unbound or CPUIntensive queue"
	SilentAdvice = "wrap what blocks in ctx.Block, or use ctx.Sleep and cmwq.Await"
	UnseenAdvice = "if it computes, consider an Unbound or CPUIntensive queue; if it waits, wrap that in ctx.Block; if it does neither, other programs had its CPU"
)
