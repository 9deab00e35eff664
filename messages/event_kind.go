package messages

import (
	"fmt"
	"strings"
)

// EventKind says what an Event tells.
type EventKind uint8

// What an Event may tell. The first four are the kernel's trace events.
//
// For each execution of an item, in this order: Queue, Activate, Start, End, and Fail
// behind the End of one that failed. An item that is taken off before its Start has a
// Cancel in the place of the rest.
const (
	// EventQueue: a queue took an item, which goes to a pool; of a delayed one, its time
	// came. An item that has to wait for a slot of max_active is told of at once, too.
	// Not told: arming it, and what was refused. (kernel: workqueue_queue_work)
	EventQueue EventKind = iota
	// EventActivate: it came to the pool's worklist, or a worker took it for its slot: it
	// is no longer held up by max_active, by its key or by the queue's rate.
	// (kernel: workqueue_activate_work)
	EventActivate
	// EventStart: its function is about to be called. (kernel: workqueue_execute_start)
	EventStart
	// EventEnd: it has returned, panicked or called Goexit. (kernel: workqueue_execute_end)
	EventEnd
	// EventFail: with an error, behind the End; or its time was up before its turn, behind
	// the Cancel.
	EventFail
	// EventCancel: it was taken off before its Start, or was dropped. Of an armed item,
	// which has had no Queue, Pool is empty.
	EventCancel
	// EventSleep: an item has declared that it sleeps or blocks, or the pool assumes it of
	// a worker that is long at one item: Assumed, which may come as late as after the End.
	EventSleep
	// EventWake: an item has declared that it runs again.
	EventWake
	// EventKick: an idle worker got work, N items. (kernel: kick_pool)
	EventKick
	// EventCreate: a worker was made; with Err, could not be made.
	EventCreate
	// EventCull: an idle worker that is too many was told to end.
	EventCull
	// EventMayday: a pool without workers calls a queue's rescuer.
	EventMayday
	// EventRescue: a rescuer got N items of that queue.
	EventRescue

	eventKinds // how many there are
)

var eventNames = [eventKinds]string{
	"queue", "activate", "start", "end", "fail", "cancel", "sleep", "wake", "kick", "create", "cull", "mayday", "rescue",
}

// String is the kind in a word, in lower case.
func (k EventKind) String() string {
	if k < eventKinds {
		return eventNames[k]
	}
	return fmt.Sprintf("event %d", uint8(k))
}

// MarshalText makes it that word in JSON.
func (k EventKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads such a word.
func (k *EventKind) UnmarshalText(text []byte) error {
	for i, name := range eventNames {
		if name == string(text) {
			*k = EventKind(i)
			return nil
		}
	}
	return fmt.Errorf("%w: no event is called %q", ErrOption, text)
}

// EventKinds is a set of kinds.
type EventKinds uint32

// AllEvents are all kinds.
const AllEvents = EventKinds(1)<<eventKinds - 1

// KindsOf makes a set.
func KindsOf(kinds ...EventKind) (s EventKinds) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s & AllEvents
}

// Has says whether a kind is in the set.
func (s EventKinds) Has(k EventKind) bool { return s>>k&1 != 0 }

// String lists the kinds.
func (s EventKinds) String() string {
	var names []string
	for k := range eventKinds {
		if s.Has(k) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, ",")
}
