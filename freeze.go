package cmwq

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// Freezable makes Freeze stop the queue. (kernel: WQ_FREEZABLE)
func Freezable() QueueOption { return func(o *queueOptions) { o.Freezable = true } }

// Freeze stops every freezable queue, for a checkpoint of what their items work on:
// items that hold a slot of MaxActive go on, running or waiting for a worker; what
// is queued later, and what waits for a slot, waits for Thaw. It returns when
// nothing of a freezable queue is active any more.
//
// A queue that is made meanwhile begins frozen. Timers go on, and queue what is due.
// Cancel works on what waits; Flush, Drain and Destroy wait for it, and so for Thaw.
// Stop thaws.
//
// When ctx ends first Freeze returns context.Cause(ctx), and the system stays as it
// is: Freeze again waits on, Thaw gives up. A Freeze of a frozen system returns
// when that is still. ErrThawed if a Thaw came first, ErrStopped after Stop,
// *DeadlockError in an item of a freezable queue, or in one that such an item waits
// for, ErrAtomic in an item of a BH queue. One message a pool and freezable queue. (kernel: freeze_workqueues_begin and
// freeze_workqueues_busy)
func (s *System) Freeze(ctx context.Context) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	return s.sys.Freeze(ctx)
}

// Thaw ends a freeze: what waits starts in the order of queueing, as far as
// MaxActive allows. Nothing happens if the system is not frozen.
// (kernel: thaw_workqueues)
func (s *System) Thaw() { s.sys.Thaw() }

// Frozen says whether the system is frozen, or freezes.
func (s *System) Frozen() bool { return s.sys.Frozen() }
