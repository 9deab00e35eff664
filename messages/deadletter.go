package messages

import "time"

// DeadLetter is an item that failed for good and that its queue has kept.
type DeadLetter struct {
	ID       uint64 // number of it in its queue, from 1
	Queue    string
	Func     string // name of the function
	Key      any    // of the item, nil if it has none
	Worker   string // that ran it last
	Err      error  // of the last execution
	First    error  // of the first that failed
	Attempts int    // executions that failed
	At       time.Time
}

// DeadLettered is published on the actor system's EventStream for each dead letter, as
// itself and as the Message of a DeadLetterEvent.
type DeadLettered struct {
	Quiet
	DeadLetter
}
