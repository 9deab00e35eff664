package cmwq

import "github.com/cmwq/cmwq/messages"

// Why work is refused, or did not end well. Match with errors.Is.
var (
	ErrPending   = messages.ErrPending   // queued or armed already; it will run
	ErrDisabled  = messages.ErrDisabled  // Disable or CancelWait holds it
	ErrDraining  = messages.ErrDraining  // the queue takes only its own items' work
	ErrDestroyed = messages.ErrDestroyed // the queue has ended
	ErrStopped   = messages.ErrStopped   // the system has ended
	ErrCancelled = messages.ErrCancelled // cause of the context of a cancelled item
	ErrNoFunc    = messages.ErrNoFunc    // Func is nil
	ErrGoexit    = messages.ErrGoexit    // the function called runtime.Goexit
	ErrExists    = messages.ErrExists    // a queue of that name exists
	ErrName      = messages.ErrName      // a queue needs a name
	ErrOption    = messages.ErrOption    // an option, or a combination, is not valid
	ErrCPU       = messages.ErrCPU       // no such logical CPU
	ErrEnabled   = messages.ErrEnabled   // more Enable than Disable
	ErrDepth     = messages.ErrDepth     // more than 65535 Disable
	ErrPerCPU    = messages.ErrPerCPU    // a per-CPU queue has no attributes
	ErrOrdered   = messages.ErrOrdered   // the limit of an ordered queue is 1
)

type (
	// PanicError is the failure of a function that panicked: Value and Stack.
	PanicError = messages.PanicError
	// StopError says what a forced Stop left behind: Running and Dropped.
	StopError = messages.StopError
)
