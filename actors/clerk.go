package actors

import "sync/atomic"

// clerk does, on goroutines of the dispatcher, what a queue was asked for by message
// and what takes a turn of another actor: the queue's own turn never waits. It does one
// thing after the other, so that a Queue which was sent behind a Cancel of the same
// item comes behind it.
//
// What waits for an execution to end has a goroutine of the dispatcher for itself, and
// holds nobody up.
type clerk struct {
	disp *dispatcher // I:
	busy atomic.Bool // A: somebody is at it, or was told to be
	todo systemList  // A: functions
	left atomic.Int64
}

// do has f done after everything before it.
func (c *clerk) do(f func()) {
	c.left.Add(1)
	c.todo.push(f)
	if c.busy.CompareAndSwap(false, true) {
		c.disp.Schedule(c.run)
	}
}

// idle says whether everything is done. Only who gives it things to do may rely on that.
func (c *clerk) idle() bool { return c == nil || c.left.Load() == 0 }

func (c *clerk) run() {
	for {
		for n := reverse(c.todo.newest.Swap(nil)); n != nil; n = n.next {
			n.msg.(func())()
			c.left.Add(-1)
		}
		c.busy.Store(false)
		if c.todo.empty() || !c.busy.CompareAndSwap(false, true) {
			return
		}
	}
}
