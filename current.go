package cmwq

import (
	"context"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// CurrentWork is the item that a worker is at: a snapshot, which stays as it is.
type CurrentWork struct {
	Queue  string // name of the item's queue
	Worker string // kworker/...
	Desc   string // what SetDesc said, at most 31 bytes; else the queue's name
	CPU    int    // logical CPU of its pool, -1 if the pool has several

	item *messages.Item
}

// Current says which item the caller is: ctx is the item's Context, or comes from it
// by context.WithTimeout and the like. ok is false for any other context, and after
// the item has ended. It must be called by the item or a goroutine of it, before the
// item ends: a worker's next item has the same Context. About 50 ns, no allocation.
// (kernel: current_work)
func Current(ctx context.Context) (e CurrentWork, ok bool) {
	c, ok := ctx.Value(messages.ItemKey{}).(*Context)
	if !ok {
		return e, false
	}
	it, desc := c.Current()
	if it == nil {
		return e, false
	}
	q := c.Owner().(*actors.Queue)
	return CurrentWork{Queue: q.Name(), Worker: c.Worker(), Desc: desc, CPU: c.CPU(), item: it}, true
}

// Is says whether w is what is executed. (kernel: current_work() == w)
func (e CurrentWork) Is(w *Work) bool { return e.item == &w.item }

// String is how the kernel lists a worker that is busy: kworker/0:1+description.
func (e CurrentWork) String() string { return messages.Comm(e.Worker, e.Desc, true) }
