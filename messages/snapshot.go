package messages

import "time"

// Snapshot is what a system's pools are doing. Each pool was asked in a turn of its
// own: what is told of one is of one instant, the whole is not.
type Snapshot struct {
	At     time.Time
	Queues []QueueSnapshot // by name
	Pools  []PoolSnapshot  // by number
}

// QueueSnapshot is one queue, with its share of each pool that it has had work in.
type QueueSnapshot struct {
	Name   string
	Flags  []string // its kind, and what else it is: highpri, draining...
	Shares []ShareSnapshot
}

// Busy says whether the queue has any item that is queued or runs.
func (q *QueueSnapshot) Busy() bool {
	for _, s := range q.Shares {
		if s.Active > 0 || s.Inactive > 0 {
			return true
		}
	}
	return false
}

// ShareSnapshot is a queue's share of one pool (kernel: pool_workqueue).
type ShareSnapshot struct {
	Queue     string
	Pool      string // name of the pool
	Active    int    // items that hold a slot of max_active
	Inactive  int    // items that wait for one
	MaxActive int    // 0: no limit
	InFlight  []InFlight
	Pending   []Run // on the pool's worklist
	Held      []Run // inactive, or behind an item of their key
}

// InFlight is an item that a worker runs.
type InFlight struct {
	Worker    string
	Func      string        // "" if the item has not begun
	Desc      string        // of ctx.SetDesc, "" if it said nothing
	For       time.Duration // since it began, or at most so long
	State     string        // running, sleeping, hog, assumed asleep, cpu-intensive, starting
	Waiters   int           // who flush it, or cancel it and wait
	Scheduled []Run         // what the same worker runs next
}

// Run is a number of items in a row that call the same function.
type Run struct {
	Func    string
	N       int // at least 1
	Waiters int // who flush the last of them; a flushed item ends a run
}

// PoolSnapshot is a worker pool.
type PoolSnapshot struct {
	ID      Place
	Name    string // CPU, u and a number, or bh/ and a CPU; see ctx.Worker
	Kind    string // managed, percpu, unbound, bh
	CPU     int    // logical CPU, -1 if it has several
	HighPri bool
	Width   int // workers that may be runnable, 0: any number
	Running int // workers that count as runnable
	Waiting int // items on the worklist
	Workers int
	Idle    []string      // idle workers, most recently idle last
	Wanted  int           // workers that the manager was asked for and has not made
	Hung    time.Duration // without progress at least so long, while work waits
	Shares  []ShareSnapshot
}

// Busy says whether any worker of the pool is.
func (p *PoolSnapshot) Busy() bool { return p.Workers > len(p.Idle) || p.Waiting > 0 }

// Caller is an Ext.Msg that runs a function for somebody: dumps and reports name
// that one, not the one that calls it.
type Caller interface{ Calls() uintptr }
