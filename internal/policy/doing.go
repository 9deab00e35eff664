package policy

import "time"

// Doing says in a word what a worker does, for dumps.
func (w *Worker) Doing() string {
	switch {
	case w.share == nil:
		return "idle"
	case w.sleeping:
		return "sleeping"
	case w.hog:
		return "hog"
	case w.assumed:
		return "assumed asleep"
	case w.intensive:
		return "cpu-intensive"
	default:
		return "running"
	}
}

// Since is when the worker came to the item at this position of a lease, as far as
// it was observed: at the lease's start, if nothing else is known.
func (w *Worker) Since(lease uint64, taken int, start time.Duration) time.Duration {
	if taken > 1 && w.seen == lease<<16|uint64(taken) {
		return w.since
	}
	return start
}
