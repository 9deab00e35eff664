package messages

import "time"

// Failure is an execution that failed, as a strategy sees it.
type Failure struct {
	Queue   string        // name of the item's queue
	Worker  string        // that ran it
	Err     error         // of this execution
	First   error         // of the first execution that failed
	Attempt int           // executions that failed, this one among them: 1 at first
	Since   time.Duration // when the first failed, on the clock of now
	Final   bool          // a retry is not possible: the queue drains, or the item is one of a series
}

// Do is what becomes of an item that failed.
type Do uint8

// What may become of an item that failed. All but Retry are its end.
const (
	Report        Do = iota // tell WithOnFailure, or log it
	Ignore                  // tell nobody
	Retry                   // run it again
	ToDeadLetters           // keep it for somebody to look at
	Drop                    // report it as dropped
	StopQueue               // report it; its queue ends
	Escalate                // its queue fails, and the queue's parent decides
)

// Action is what a strategy decides.
type Action struct {
	Do    Do
	After time.Duration // of Retry; 0 or less: at once
	Limit int           // of ToDeadLetters: how many the queue keeps
}

// Strategy decides what becomes of a failure. It is a value: what it remembers is in
// m, which each queue has for itself, so that one Strategy may serve many queues. It is
// called in a turn of the queue's actor and must not block. now is monotonic.
type Strategy interface {
	Decide(f Failure, now time.Duration, m *Memory) Action
}

// Memory is what strategies remember of a queue's failures.
type Memory struct {
	Seed uint64 // of random numbers
	of   map[any]any
}

// Of gives what was remembered under a key; if there is nothing, what first makes.
func (m *Memory) Of(key any, first func() any) any {
	if v, ok := m.of[key]; ok {
		return v
	}
	if m.of == nil {
		m.of = map[any]any{}
	}
	v := first()
	m.of[key] = v
	return v
}

// Forget clears it.
func (m *Memory) Forget() { m.of = nil }

// Failer is told when the last execution of a work item has failed.
type Failer interface{ Failed(err error) }

// EscalatedError is the reason with which the actor of a queue fails when its strategy
// says Escalate.
type EscalatedError struct{ Failure }

func (e *EscalatedError) Error() string {
	return "cmwq: queue " + e.Queue + " escalates: " + e.Err.Error()
}

// Unwrap gives the error of the item.
func (e *EscalatedError) Unwrap() error { return e.Err }
