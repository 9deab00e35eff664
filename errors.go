package cmwq

import "github.com/cmwq/cmwq/messages"

// Why work is refused, or did not end well. Match with errors.Is.
var (
	ErrPending   = messages.ErrPending   // queued or armed already; it will run
	ErrDisabled  = messages.ErrDisabled  // Disable or CancelWait holds it
	ErrDraining  = messages.ErrDraining  // the queue takes only its own items' work
	ErrDestroyed = messages.ErrDestroyed // the queue has ended
	ErrAbandoned = messages.ErrAbandoned // the queue was told to stop, and its time was over; an ErrDestroyed
	ErrStopped   = messages.ErrStopped   // the system has ended
	ErrCancelled = messages.ErrCancelled // cause of the context of a cancelled item
	ErrNoFunc    = messages.ErrNoFunc    // Func is nil
	ErrGoexit    = messages.ErrGoexit    // the function called runtime.Goexit
	ErrExists    = messages.ErrExists    // a queue of that name exists
	ErrName      = messages.ErrName      // a queue needs a name
	ErrOption    = messages.ErrOption    // an option, or a combination, is not valid
	ErrPinning   = messages.ErrPinning   // WithPinning where threads cannot be bound to the CPUs
	ErrCPU       = messages.ErrCPU       // no such logical CPU
	ErrEnabled   = messages.ErrEnabled   // more Enable than Disable
	ErrDepth     = messages.ErrDepth     // more than 65535 Disable
	ErrKey       = messages.ErrKey       // not comparable, nil, or not equal to itself
	ErrCreate    = messages.ErrCreate    // a queue, its pools or its rescuer could not be made
	ErrFixed     = messages.ErrFixed     // number or depth of fixed workers
	ErrPerCPU    = messages.ErrPerCPU    // a per-CPU queue has no attributes
	ErrOrdered   = messages.ErrOrdered   // the limit of an ordered queue is 1
	ErrBH        = messages.ErrBH        // a BH queue has no limit
	ErrAtomic    = messages.ErrAtomic    // an item of a BH queue may not sleep, nor wait
	ErrBusy      = messages.ErrBusy      // Init of work that is pending or runs
	ErrThawed    = messages.ErrThawed    // Thaw came before a Freeze was done
	ErrResumed   = messages.ErrResumed   // Resume came before a Pause was done
	ErrFull      = messages.ErrFull      // a bounded queue has no room
	ErrDropped   = messages.ErrDropped   // a bounded queue made room for newer work: DropOldest
	ErrDeadlock  = messages.ErrDeadlock  // a wait inside an item would never end: *DeadlockError
)

type (
	// PanicError is the failure of a function that panicked: Value and Stack.
	PanicError = messages.PanicError
	// StopError says what a forced Stop left behind: Running and Dropped; or what a
	// Destroy whose context ended did not wait for: Running and Waiting.
	StopError = messages.StopError
	// DeadlockError says who would wait for whom, and why that would never end.
	DeadlockError = messages.DeadlockError
	// TimeoutError says whether work waited or ran for too long, and how long that was;
	// it is a context.DeadlineExceeded.
	TimeoutError = messages.TimeoutError
	// Phase is what an item was at when its time was up.
	Phase = messages.Phase
	// Party is an item or a queue that has a part in a deadlock.
	Party = messages.Party
)
