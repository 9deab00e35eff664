package messages

import (
	"errors"
	"fmt"
)

// Why work is refused, or did not end well. Match with errors.Is.
var (
	ErrPending   = errors.New("cmwq: work is pending already")
	ErrDisabled  = errors.New("cmwq: work is disabled")
	ErrDraining  = errors.New("cmwq: queue is draining")
	ErrDestroyed = errors.New("cmwq: queue is destroyed")
	ErrStopped   = errors.New("cmwq: system is stopped")
	ErrCancelled = errors.New("cmwq: work was cancelled")
	ErrNoFunc    = errors.New("cmwq: work has no function")
	ErrGoexit    = errors.New("cmwq: work called runtime.Goexit")
	ErrExists    = errors.New("cmwq: a queue of that name exists")
	ErrName      = errors.New("cmwq: a queue needs a name")
	ErrPinning   = errors.New("cmwq: workers cannot be pinned")
	ErrOption    = errors.New("cmwq: option is not valid")
	ErrCPU       = errors.New("cmwq: no such CPU")
	ErrEnabled   = errors.New("cmwq: work is enabled more often than it was disabled")
	ErrDepth     = errors.New("cmwq: work is disabled too often")
	ErrKey       = errors.New("cmwq: a key must be comparable, and equal to itself")
	ErrCreate    = errors.New("cmwq: could not be made")
	ErrBusy      = errors.New("cmwq: work is pending or runs")
	ErrThawed    = errors.New("cmwq: system was thawed")
	ErrResumed   = errors.New("cmwq: queue was resumed")
	ErrFixed     = errors.New("cmwq: so many fixed workers, or so deep mailboxes, are not possible")
	ErrPerCPU    = errors.New("cmwq: a per-CPU queue has no attributes")
	ErrOrdered   = errors.New("cmwq: an ordered queue runs one item at a time, always")
	ErrBH        = errors.New("cmwq: a BH queue has no limit")
	ErrAtomic    = errors.New("cmwq: an item of a BH queue may not sleep")
	ErrFull      = errors.New("cmwq: queue is full")
	ErrDropped   = errors.New("cmwq: work was dropped: newer work needed its room")
)

// PanicError is the failure of a work function that panicked.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // of the panicking goroutine
}

func (e *PanicError) Error() string { return fmt.Sprintf("cmwq: work panicked: %v", e.Value) }

// Unwrap gives the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// StopError says what a Stop or Destroy whose context ended left behind. It
// wraps the context's cause.
type StopError struct {
	Running int   // items that still run; they end in their own time
	Waiting int   // after Destroy: items that still wait, and will run in their turn
	Dropped int   // accepted items that will not run; futures say so too
	Cause   error // of the context
}

func (e *StopError) Error() string {
	if e.Waiting > 0 {
		return fmt.Sprintf("cmwq: stopped before everything was done: %d running, %d waiting: %v", e.Running, e.Waiting, e.Cause)
	}
	return fmt.Sprintf("cmwq: stopped before everything was done: %d running, %d dropped: %v", e.Running, e.Dropped, e.Cause)
}

// Unwrap gives the context's cause.
func (e *StopError) Unwrap() error { return e.Cause }
