package messages

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"time"
	"unsafe"
)

// Event is what happened to an item or a worker, at the moment it did. It is a value, and
// costs no allocation, but for items that a View or a Pipe queued. Which fields are set
// depends on Kind; others are zero.
type Event struct { //nolint:recvcheck // a value must print itself; the other methods need no copy
	Kind    EventKind     // always
	Assumed bool          // Sleep: the pool assumes it, of what the worker took last; no Wake follows
	At      time.Time     // always: with a monotonic clock
	Queue   string        // name of the item's queue; of a Kick and a Rescue, of the items; not of Create and Cull but a rescuer's
	Pool    string        // a CPU's number, bh/ and that, or u and the pool's; with H if it is of high priority
	Worker  string        // kworker/...: of Start, End, Fail, Sleep, Wake, Kick, Create, Cull, Rescue; Activate if the worker does it
	Item    ItemID        // the item's, of all that are about one: Queue, Activate, Start, End, Fail, Cancel, Sleep, Wake
	Func    uintptr       // the code of what it calls for its user, as Item; see FuncName
	CPU     int           // Queue: the CPU that was asked for, -1 if any. Others: that of Pool, -1 if it has several
	N       int           // Kick and Rescue: items that the worker got; Mayday: that wait. Else 1 if it is about an item, or 0
	Attempt int           // of items: 1, or more when a strategy runs it again; 0 if it is not known
	Wait    time.Duration // Activate, Start and End: from its Queue, of a delayed item from when it was due
	Run     time.Duration // End: of the call. Wake: of the sleep
	Err     error         // End and Fail: what it failed with. Cancel: why; nil if Modify took it, to queue it anew. Create

	// Submitter has the values of the context with which the item was queued, if it was
	// queued by a View: of Queue, Start and End.
	Submitter context.Context

	item *Item
}

// ItemID names an item: it is the address of the Work, of the Future's or of a closure's
// item. It is the same in all events of one execution, and no other item of the process
// has it meanwhile. A Work keeps it for as long as it lives, through executions and
// retries; a closure has it until the End, or until it fails and is to run again.
type ItemID uintptr

// ID is the item's.
func (it *Item) ID() ItemID { return ItemID(unsafe.Pointer(it)) }

// String is the number in hexadecimal digits.
func (id ItemID) String() string { return fmt.Sprintf("%#x", uintptr(id)) }

// MarshalText makes it that in JSON, where numbers have too few digits.
func (id ItemID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads it again.
func (id *ItemID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	if err != nil {
		return err
	}
	*id = ItemID(n)
	return nil
}

// About sets what is the same in all events of an item.
func (e *Event) About(it *Item, code uintptr) {
	e.item, e.Item, e.Func, e.N = it, it.ID(), code, 1
}

// FuncName is the name of what the item calls, with its package: "" of events that are not
// about an item. 100 ns.
func (e *Event) FuncName() string {
	if e.Func == 0 {
		return ""
	}
	if f := runtime.FuncForPC(e.Func); f != nil {
		return f.Name()
	}
	return "unknown"
}

// FutureID is the ID of the Future that the item resolves, if somebody asked for it; ok is
// false for others. To be asked in Observe alone: the item
// may be another's afterwards.
func (e *Event) FutureID() (id string, ok bool) {
	if e.item == nil {
		return "", false
	}
	if n, is := e.item.Msg().(Named); is {
		return n.Named()
	}
	return "", false
}

// Forget drops what the engine gave for the time of Observe: for who keeps events.
func (e *Event) Forget() { e.item, e.Submitter = nil, nil }

// Observer is told of events, of several items and pools at the same time. See
// cmwq.WithObserver for what it may do.
type Observer interface{ Observe(e Event) }

// Choosy is an Observer that wants some kinds only. It is asked once, when the system
// starts; what nobody wants costs nothing.
type Choosy interface {
	Observer
	Kinds() EventKinds
}
