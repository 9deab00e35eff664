package messages

import "time"

// Snapshot is what a system's pools are doing. Each pool was asked in a turn of its
// own: what is told of one is of one instant, the whole is not.
type Snapshot struct {
	At time.Time `json:"at"`
	SystemSnapshot
	Queues []QueueSnapshot `json:"queues,omitempty"` // by name
	Pools  []PoolSnapshot  `json:"pools,omitempty"`  // by number
	Hogs   []Hog           `json:"hogs,omitempty"`   // as reported last, 16 at most, one of each function and queue, the newest first; where they were seen last. Not to be changed
}

// QueueSnapshot is one queue, with its share of each pool that it has had work in.
type QueueSnapshot struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`            // managed, percpu, unbound, ordered, bh
	Flags []string `json:"flags,omitempty"` // its kind, and what else it is: highpri, draining...
	Child bool     `json:"child,omitempty"` // its actor is a child of a user's; its name begins with that one's
	Placing
	Stats  Stats           `json:"stats"`
	Wait   Distribution    `json:"wait"` // from queueing to start; empty without WithMonitor
	Run    Distribution    `json:"run"`  // from start to end; empty without WithMonitor
	Shares []ShareSnapshot `json:"shares,omitempty"`

	LastFailure *LastFailure `json:"last_failure,omitempty"` // nil: nothing has failed. Not to be changed
}

// LastFailure is a failure of a queue's: the first, and later one in 100 ms, so that it may
// be a little older than the last. It may have been tried again.
type LastFailure struct {
	At     time.Time `json:"at"`
	Worker string    `json:"worker,omitempty"` // "" if it was not called any more
	Error  string    `json:"error"`            // its first 200 bytes
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
	Queue     string     `json:"queue"`
	Pool      string     `json:"pool"`              // name of the pool
	Active    int        `json:"active"`            // items that hold a slot of max_active
	Inactive  int        `json:"inactive"`          // items that wait for one, those Scheduled behind one that has it among them
	MaxActive int        `json:"max_active"`        // 0: no limit
	Mayday    bool       `json:"mayday,omitempty"`  // it has called its rescuer, or is being helped
	Retired   bool       `json:"retired,omitempty"` // its queue is served by other pools by now
	InFlight  []InFlight `json:"in_flight,omitempty"`
	Pending   []Run      `json:"pending,omitempty"` // on the pool's worklist
	Held      []Run      `json:"held,omitempty"`    // inactive, or behind an item of their key
}

// InFlight is an item that a worker runs.
type InFlight struct {
	Worker    string        `json:"worker"`
	Func      string        `json:"func,omitempty"`      // "" if the item has not begun
	Desc      string        `json:"desc,omitempty"`      // of ctx.SetDesc, "" if it said nothing
	For       time.Duration `json:"for_ns"`              // since it began, or at most so long
	State     string        `json:"state"`               // running, sleeping, hog, assumed asleep, cpu-intensive, starting
	Rescuer   bool          `json:"rescuer,omitempty"`   // the worker is its queue's rescuer
	Waiters   int           `json:"waiters,omitempty"`   // who flush it, or cancel it and wait
	Scheduled []Run         `json:"scheduled,omitempty"` // what the same worker runs next
	Thread    *Thread       `json:"thread,omitempty"`    // of a pinned worker, nil of others
}

// Run is a number of items in a row that call the same function.
type Run struct {
	Func    string `json:"func,omitempty"`
	N       int    `json:"n"`                 // at least 1
	Waiters int    `json:"waiters,omitempty"` // who flush the last of them; a flushed item ends a run
}

// PoolSnapshot is a worker pool.
type PoolSnapshot struct {
	ID      Place           `json:"id"`
	Name    string          `json:"name"` // CPU, u and a number, or bh/ and a CPU; see ctx.Worker
	Kind    string          `json:"kind"` // managed, percpu, unbound, bh
	CPU     int             `json:"cpu"`  // logical CPU, -1 if it has several
	HighPri bool            `json:"high_pri"`
	Nice    int             `json:"nice"`
	Node    int             `json:"node"`             // memory node of all its CPUs, -1 if they have several
	PodCPUs string          `json:"pod_cpus"`         // for whose work it is
	CPUs    string          `json:"cpus"`             // where its workers may run
	Strict  bool            `json:"strict,omitempty"` // they never leave the pod
	Refs    int             `json:"refs"`             // shares of queues that it has, used or not
	Width   int             `json:"width"`            // workers that may be runnable, 0: any number
	Running int             `json:"running"`          // workers that count as runnable
	Waiting int             `json:"waiting"`          // items on the worklist
	Workers int             `json:"workers"`
	Idle    []string        `json:"idle,omitempty"` // idle workers, most recently idle last
	Wanted  int             `json:"wanted"`         // workers that the manager was asked for and has not made
	Hung    time.Duration   `json:"hung_ns"`        // without progress at least so long, while work waits
	Shares  []ShareSnapshot `json:"-"`              // the queues list them, too
}

// Busy says whether any worker of the pool is.
func (p *PoolSnapshot) Busy() bool { return p.Workers > len(p.Idle) || p.Waiting > 0 }

// Caller is an Ext.Msg that runs a function for somebody: dumps and reports name
// that one, not the one that calls it.
type Caller interface{ Calls() uintptr }
