package messages

// MaxRescuers is how many rescuers may be in one pool at a time: the highest
// worker numbers are theirs.
const MaxRescuers = 1024

// Between a pool that cannot make a worker and a queue's rescuer.
type (
	// Mayday tells the rescuer that a share has items which cannot start: its pool
	// is short of workers.
	Mayday struct {
		Quiet
		Share any
	}
	// Rescue offers a share's pool the rescuer, until Rescued. Others says that
	// other shares of the queue wait for it; Again that it was there before, and
	// left because of them.
	Rescue struct {
		Share  any
		Worker any
		Others bool
		Again  bool
	}
	// Rescued gives the rescuer back. Needs says that the pool is short of workers
	// and has more for it; May that it has more, and may become short again.
	Rescued struct {
		Quiet
		Share any
		Needs bool
		May   bool
	}
)

// IsRescuer says whether the item runs on its queue's rescuer: its pool was short
// of workers and no more could be made. Such an item should free memory, and
// start nothing that it then waits for on another queue.
// (kernel: current_is_workqueue_rescuer)
func (c *Context) IsRescuer() bool { return c.host.Rescuer() }
