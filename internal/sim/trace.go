package sim

import "time"

// Trace is what happened.
type Trace struct {
	Events   []Event // in the order in which they happened
	Queues   []QueueTrace
	Makespan time.Duration // when the last item ended
	Burned   time.Duration // CPU time that items used
	Workers  int           // workers that the pool made
	Err      error         // an invariant that broke, or items that never ended
}

// Event is something that happened to an item.
type Event struct {
	At   time.Duration
	Rank int // the item's index in the scenario
	Item string
	Kind EventKind
}

// QueueTrace is what a queue counted.
type QueueTrace struct {
	Name      string
	CMWakeup  int64
	Hogs      int64
	Completed int64
	Congested []Span
}

// Span is a stretch of time.
type Span struct{ From, To time.Duration }

// EventKind says what happened.
type EventKind uint8

const (
	// Activate: the item has a slot of its queue and is on the worklist.
	Activate EventKind = iota
	// Kick: a worker was given the item and is runnable.
	Kick
	// Start: the item has a CPU for the first time.
	Start
	// Wake: its sleep is over.
	Wake
	// Asleep: its worker was assumed to be asleep.
	Asleep
	// Hog: it was declared CPU-intensive.
	Hog
	// Slept: it sleeps and said so.
	Slept
	// Blocked: it blocks and did not say so.
	Blocked
	// End: it returned.
	End
)

var eventNames = [...]string{
	Activate: "activate", Kick: "kick", Start: "start", Wake: "wake", Asleep: "asleep",
	Hog: "hog", Slept: "sleep", Blocked: "block", End: "end",
}

func (k EventKind) String() string { return eventNames[k] }
