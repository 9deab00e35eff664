package messages

import "time"

// Quiet keeps a message to an actor that has just ended out of the log: whoever
// waits for an answer learns of the end otherwise.
type Quiet struct{}

// IgnoreDeadLetterLogging is protoactor's marker.
func (Quiet) IgnoreDeadLetterLogging() {}

// Between a pool and its manager.
type (
	// NeedWorker asks the manager for N workers; one request is outstanding.
	NeedWorker struct {
		Quiet
		N int
	}
	// WorkerReady tells the pool of a worker that was made; it is idle.
	WorkerReady struct{ Worker any }
	// CreateFailed tells the pool that the manager could make no worker.
	CreateFailed struct{ Err error }
	// Cull asks the manager to stop an idle worker.
	Cull struct {
		Quiet
		Worker any
	}
)

// Between a queue and the pools of its shares. Share is the number of the share, or the share.
type (
	// Detach tells a pool that a share will get no more work.
	Detach struct{ Share any }
	// CloseEpoch ends a share's flush epoch.
	CloseEpoch struct{ Share any }
	// EpochEmpty tells the queue that a share finished every item up to Epoch,
	// how many items it ever got, and how many newer ones it has. Moved says that
	// items of these epochs went to another share, where they may be of later ones.
	EpochEmpty struct {
		Quiet
		Share   int
		Epoch   uint32
		Arrived int64
		Left    int
		Moved   bool
	}
	// BorrowSlots asks the queue for active slots.
	BorrowSlots struct {
		Quiet
		Share, N int
	}
	// SlotsReturned gives slots back to the queue.
	SlotsReturned struct {
		Quiet
		Share, N int
	}
)

// To a queue, from anyone. Each is answered on Done, if it is not nil, else to the sender,
// if there is one: by *Flushed, *Drained, *Destroyed, *MaxActiveSet. The channel must have
// room for one value.
type (
	// Flush is answered when everything queued before it is finished.
	Flush struct {
		Quiet
		Done  chan<- error
		Epoch func(uint32) // if not nil, told which epoch it waits for: at once, and when it begins anew
	}
	// Forget says that nobody waits on Done any more.
	Forget struct {
		Quiet
		Done chan<- error
	}
	// Drain refuses work from outside, and is answered when nothing is left.
	Drain struct {
		Quiet
		Done chan<- error
	}
	// Destroy drains, and ends the queue.
	Destroy struct {
		Quiet
		Done chan<- error
	}
	// SetMaxActive changes the limit; 0 is the default.
	SetMaxActive struct {
		Quiet
		N    int
		Done chan<- error
	}
	// Failed tells the queue that an item of it failed; Item is nil for a
	// closure of a queue without a strategy.
	Failed struct {
		Quiet
		Item   *Item
		Err    error
		Worker string

		// For a queue with a strategy.
		Func  Func
		Tries *Tries // nil: there is nothing to decide
		Held  bool   // the item is armed and waits for what is decided
		Late  bool   // it was not called: it had its turn too late
		Home  *Home  // to queue it again
		CPU   uint16 // on
	}
)

// Inspect asks a pool for the numbers of a share, on Reply; and a queue for the sums over
// its shares, which answers with *Inspected.
type Inspect struct {
	Share any
	Reply chan<- ShareStats
}

// ShareStats are a share's numbers at one moment.
type ShareStats struct {
	Arrived      int64
	Started      int64
	Completed    int64
	Failed       int64
	Retried      int64 // of the whole queue
	DeadLettered int64 // of the whole queue
	DeadLost     int64 // of the whole queue
	Dropped      int64 // of the whole queue
	Lapsed       int64 // of the whole queue
	WaitedOut    int64 // of the whole queue
	RanOut       int64 // of the whole queue
	Cancelled    int64 // of the whole queue
	Delayed      int   // of the whole queue
	Active       int
	Inactive     int
	MaxActive    int
	CPUTime      time.Duration
	CPUIntensive int64
	CMWakeup     int64
	Repatriated  int64
	Mayday       int64
	Rescued      int64

	// Of the share's pool.
	Workers, Idle, Running, Waiting int
}
