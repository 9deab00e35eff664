package cmwq

import (
	"sync"

	"github.com/cmwq/cmwq/messages"
)

// run is one run of a mailbox.
type run struct {
	work Work
	ext  messages.Ext
	d    *dispatcher
	fn   func() // nil once it was called
}

// runs are those that are over; the items of some may be about to be idle.
var runs sync.Pool

func newRun(d *dispatcher, fn func()) *run {
	r, _ := runs.Get().(*run)
	if r == nil || r.work.item.State()&(messages.Pending|messages.Running) != 0 {
		r = new(run)
		r.ext.Msg = r
		r.work.Func = r.do
		r.work.item.Extend(&r.ext)
	}
	r.d, r.fn = d, fn
	return r
}

func (r *run) take() (d *dispatcher, fn func()) {
	d, fn = r.d, r.fn
	r.d, r.fn = nil, nil
	return d, fn
}

// do runs the mailbox. If that does not return, a run of it begins elsewhere; should
// a strategy run this one again, there is nothing left to do.
func (r *run) do(ctx *Context) error {
	d, fn := r.take()
	if fn == nil {
		return nil
	}
	ended := false
	defer func() {
		if !ended {
			d.Schedule(fn)
		}
	}()
	if d.own {
		d.item = ctx
	}
	fn()
	ended = true
	runs.Put(r)
	return nil
}

// Dropped runs the mailbox on a goroutine: the queue did not.
func (r *run) Dropped(err error) {
	d, fn := r.take()
	if fn == nil {
		return
	}
	if !d.alone.Swap(true) {
		d.q.q.Warn("a queue runs its actors no more: they run on goroutines", err)
	}
	go d.runAlone(fn)
}
