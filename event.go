package cmwq

import "github.com/cmwq/cmwq/messages"

// Events, and who is told of them. See WithObserver.
type (
	// Event is what happened to an item or a worker, at the moment it did.
	Event = messages.Event
	// EventKind says what an Event tells.
	EventKind = messages.EventKind
	// EventKinds is a set of kinds.
	EventKinds = messages.EventKinds
	// ItemID names an item in events: its address.
	ItemID = messages.ItemID
	// Observer is told of events, of several items and pools at the same time.
	Observer = messages.Observer
	// Choosy is an Observer that wants some kinds only: what nobody wants costs nothing.
	Choosy = messages.Choosy
)

// What an Event may tell. For each execution of an item, in this order: Queue, Activate,
// Start, End, and Fail behind the End of one that failed. An item that is taken off before
// its Start has a Cancel in the place of the rest.
const (
	EventQueue    = messages.EventQueue    // a queue took an item; of a delayed one, its time came
	EventActivate = messages.EventActivate // no limit holds it up any longer
	EventStart    = messages.EventStart    // its function is about to be called
	EventEnd      = messages.EventEnd      // its function has returned, panicked or called Goexit
	EventFail     = messages.EventFail     // an execution has failed, or its time was up before
	EventCancel   = messages.EventCancel   // it was taken off before its Start, or dropped
	EventSleep    = messages.EventSleep    // an item sleeps or blocks
	EventWake     = messages.EventWake     // and runs again
	EventKick     = messages.EventKick     // an idle worker got work
	EventCreate   = messages.EventCreate   // a worker was made, or could not be
	EventCull     = messages.EventCull     // an idle worker that is too many ends
	EventMayday   = messages.EventMayday   // a pool without workers calls a queue's rescuer
	EventRescue   = messages.EventRescue   // which got items

	// AllEvents are all kinds.
	AllEvents = messages.AllEvents
)

// KindsOf makes a set of kinds.
func KindsOf(kinds ...EventKind) EventKinds { return messages.KindsOf(kinds...) }

// ID names w in events.
func (w *Work) ID() ItemID { return w.item.ID() }

// ItemID names the future's item in events.
func (f *Future[T]) ItemID() ItemID { return f.work.ID() }
