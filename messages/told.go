package messages

import "time"

// Everything that may be done with a queue and its work, an actor may ask for by
// message to the queue's PID. The answer goes to the sender, if the message has one
// (ctx.Request, RequestFuture): it has the Err that the method of the same name would
// return, nil if none, and the Work. Messages of one sender are done in the order in
// which they were sent; answers come when they are there. A refusal that nobody is told
// of is logged, ErrPending aside. Send pointers.
type (
	// Queue queues Work, with a Key if that is not nil; *Queued answers.
	Queue struct {
		Work Work
		Key  any
	}
	// QueueOn queues Work on the pool of a logical CPU; *Queued answers.
	QueueOn struct {
		Work Work
		CPU  int
	}
	// QueueAfter arms Work; *Queued answers.
	QueueAfter struct {
		Work  Work
		Key   any
		Delay time.Duration
	}
	// Go queues a function; *Queued answers.
	Go struct {
		Func Func
		Key  any
	}
	// Queued says that work was accepted, or why not.
	Queued struct {
		Work Work // nil of a Go
		Err  error
	}

	// Modify makes Work due Delay from now; *Modified answers.
	Modify struct {
		Work  Work
		Key   any
		Delay time.Duration
	}
	// Modified answers a Modify.
	Modified struct {
		Work       Work
		WasPending bool
		Err        error
	}

	// Cancel takes Work off its queue, whichever that is; *Cancelled answers.
	Cancel struct{ Work Work }
	// CancelWait does so, and waits for an execution to end; *Cancelled answers then.
	CancelWait struct{ Work Work }
	// Cancelled answers a Cancel or CancelWait.
	Cancelled struct {
		Work       Work
		WasPending bool
		Err        error
	}

	// Disable is CancelWait, and Work stays disabled; *Disabled answers. Work is
	// disabled from the moment on that the queue reads the message.
	Disable struct{ Work Work }
	// Disabled answers a Disable.
	Disabled struct {
		Work       Work
		WasPending bool
		Err        error
	}
	// Enable undoes one Disable; *Enabled answers.
	Enable struct{ Work Work }
	// Enabled answers an Enable.
	Enabled struct {
		Work Work
		Left int // of the times that it was disabled
		Err  error
	}

	// FlushWork waits for the last queued instance of Work; *Flushed answers.
	FlushWork struct{ Work Work }
	// Flushed answers a Flush or FlushWork.
	Flushed struct {
		Work Work // nil of a Flush
		Err  error
	}

	// Drained and Destroyed answer a Drain and a Destroy. The second comes when the
	// queue's actor has ended; who watches it gets protoactor's Terminated, too.
	Drained   struct{ Err error }
	Destroyed struct{ Err error }

	// MaxActiveSet answers a SetMaxActive.
	MaxActiveSet struct{ Err error }
	// SetAttrs changes the attributes of the queue; cmwq.AttrsMessage makes one.
	// *AttrsSet answers.
	SetAttrs struct{ Change any }
	// AttrsSet answers a SetAttrs.
	AttrsSet struct{ Err error }

	// Inspected answers an Inspect that came to a queue, with the sums over its shares.
	Inspected struct {
		Queue string
		Stats ShareStats
		Err   error
	}
)

// Request is a message to a queue that has an answer.
type Request interface {
	// Answer gives the answer for an error, or for none.
	Answer(err error) any
}
