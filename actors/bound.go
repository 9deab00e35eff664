package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/policy"
)

// bound limits the accepted items of a queue that have not begun. An item takes
// room when it is accepted, armed ones too, and keeps it wherever it goes, until it
// begins, is cancelled or is dropped. Callers that wait for room get it in order.
//
// nil is the bound of a queue that has none.
type bound struct {
	full   policy.WhenFull               // I:
	room   chan struct{}                 // A: holds one for each item; who sends waits in line
	over   atomic.Int64                  // A: items that got in though there was no room
	claims atomic.Int32                  // A: callers who take room before they claim their item
	shut   atomic.Pointer[chan struct{}] // A: closed when the queue begins to refuse, and replaced
}

func newBound(n int, full policy.WhenFull) *bound {
	if n <= 0 {
		return nil
	}
	b := &bound{full: full, room: make(chan struct{}, n)}
	b.reopen()
	return b
}

func (b *bound) reopen() *chan struct{} {
	c := make(chan struct{})
	return b.shut.Swap(&c)
}

// try takes room for one item if there is any.
func (b *bound) try() bool {
	if b == nil {
		return true
	}
	select {
	case b.room <- struct{}{}:
		return true
	default:
		return false
	}
}

// force takes room for one item that must not be refused: one that was accepted
// before, and comes again.
func (b *bound) force() {
	if b != nil && !b.try() {
		b.over.Add(1)
	}
}

// give gives the room of one item back.
func (b *bound) give() {
	if b == nil {
		return
	}
	for n := b.over.Load(); n > 0; n = b.over.Load() {
		if b.over.CompareAndSwap(n, n-1) {
			return
		}
	}
	<-b.room
}

// drops says whether a full queue drops what waits longest, which takes turns of pools.
func (b *bound) drops() bool { return b != nil && b.full == policy.DropOldest }

// free says whether there is room at this moment.
func (b *bound) free() bool { return len(b.room) < cap(b.room) }

// raise makes a queue refuse for these reasons, too; who waits for room is told.
func (q *Queue) raise(flags uint32) (before uint32) {
	before = q.flags.Or(flags)
	if q.bound != nil {
		close(*q.bound.reopen())
	}
	return before
}
