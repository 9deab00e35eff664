package messages

// State is an item's whole life in one word, changed only by atomic operations:
// who owns it, where it is, who runs it, how often it was disabled.
//
//	bit  0      PENDING: somebody owns it to queue it, or it is queued or armed
//	bit  1      RUNNING: its function is being called
//	bit  2      DELAYED: armed at a delayer, not queued at a pool (only with PENDING)
//	bit  3      STOP: whoever runs it should end (only with RUNNING)
//	bits 4-19   disable depth
//	bits 20-33  place: the pool or delayer where it is or was last
//	bits 34-47  place of the pool that runs it (only with RUNNING)
//	bits 48-63  the worker of that pool that runs it (only with RUNNING)
//
// The place is written in the operation that sets PENDING, so that cancel and
// flush always know whom to ask.
type State uint64

// The bits and fields of a State.
const (
	Pending State = 1 << iota
	Running
	Delayed
	Stop

	depthShift  = 4
	placeShift  = 20
	runnerShift = 34
	workerShift = 48
	depthOne    = State(1) << depthShift
	depthMask   = State(MaxDepth) << depthShift
	placeMask   = State(MaxPlaces-1) << placeShift
	runMask     = Running | Stop | State(MaxPlaces-1)<<runnerShift | State(MaxWorkers-1)<<workerShift
	MaxDepth    = 1<<16 - 1 // disable depth, as in the kernel
	MaxPlaces   = 1 << 14   // pools and delayers of a process
	MaxWorkers  = 1 << 16   // workers of a pool
	NoPlace     = Place(0)
)

// Place names a pool or a delayer within the process; 0 is none.
type Place uint16

// Depth is how often the item was disabled and not enabled.
func (s State) Depth() int { return int(s & depthMask >> depthShift) }

// Place is the pool or delayer where the item is, or was last.
func (s State) Place() Place { return Place(s & placeMask >> placeShift) }

// Runner is the place of the pool that runs the item; only with Running.
func (s State) Runner() Place { return Place(s >> runnerShift & (MaxPlaces - 1)) }

// Worker is the number of the worker that runs the item; only with Running.
func (s State) Worker() int { return int(s >> workerShift) }

// Queued is s with PENDING set at a pool.
func (s State) Queued(p Place) State {
	return s&^(placeMask|Delayed) | Pending | State(p)<<placeShift
}

// Armed is s with PENDING set at a delayer.
func (s State) Armed(p Place) State { return s.Queued(p) | Delayed }

// Idle is s without PENDING; the place is remembered.
func (s State) Idle() State { return s &^ (Pending | Delayed) }

// Deeper and Shallower change the disable depth; the caller minds the bounds.
func (s State) Deeper() State { return s + depthOne }

// Shallower is s with one disable less.
func (s State) Shallower() State { return s - depthOne }

// Runs is the part of the word that says that a worker runs the item.
func Runs(pool Place, worker int) State {
	return Running | State(pool)<<runnerShift | State(worker)<<workerShift
}

// Started is s after the worker with this Runs took the item: RUNNING is set and
// PENDING cleared in one operation, before the function is called.
func (s State) Started(runs State) State { return s&^(runMask|Pending|Delayed) | runs }

// RunBy says whether the worker with this Runs runs the item.
func (s State) RunBy(runs State) bool { return s&(runMask&^Stop) == runs }

// Ended is s after that.
func (s State) Ended() State { return s &^ runMask }
