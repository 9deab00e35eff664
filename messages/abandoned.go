package messages

import (
	"fmt"
	"slices"
)

// ErrAbandoned is told to work that was accepted and will not run, and is the cause of
// the contexts of what ran: its queue was told to stop, and its time to shut down was
// over. It is an ErrDestroyed, too.
var ErrAbandoned = fmt.Errorf("%w: its time to shut down was over", ErrDestroyed)

// Abandoned is published on protoactor's EventStream when a queue that was told to stop
// has ended without running everything it had accepted. Subscribers are called by the
// queue's actor, and must not block.
type Abandoned struct {
	Queue   string
	Dropped int     // accepted items that will not run; armed ones are among them
	Running int     // items that still ran; their contexts were cancelled
	Items   []*Item // the reusable ones of those that were dropped; they are idle, or queued elsewhere by now
}

// Has says whether a work item is one of those that were dropped. O(n).
func (a *Abandoned) Has(w Work) bool {
	it, _ := w.Item()
	return slices.Contains(a.Items, it)
}

// Work is a reusable work item, as messages name it: a *cmwq.Work is one.
type Work interface {
	// Item gives the engine's part of the item, and the function that it calls.
	Item() (*Item, Func)
}
