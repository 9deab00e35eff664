package actors

import (
	"slices"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// mostHogs is how many reports of hogs are kept for snapshots.
const mostHogs = 16

// recent are the hogs that were reported last, the newest first: one of each function and
// queue.
type recent struct {
	list atomic.Pointer[[]messages.Hog] // A: written by the clerk, what it points to never
}

// add puts a report in front, in place of the one before of its kind. One that was not
// seen is where that was.
func (r *recent) add(h messages.Hog) {
	if h.Where != nil {
		w := *h.Where
		w.Stack = nil // it may be long
		h.Where = &w
	}
	all := slices.Clone(r.hogs())
	if i := slices.IndexFunc(all, func(old messages.Hog) bool { return old.Func == h.Func && old.Queue == h.Queue }); i >= 0 {
		if h.Where == nil {
			h.Where, h.Advice = all[i].Where, all[i].Advice
		}
		all = slices.Delete(all, i, i+1)
	}
	all = slices.Insert(all, 0, h)
	all = all[:min(len(all), mostHogs)]
	r.list.Store(&all)
}

// hogs gives them; not to be changed.
func (r *recent) hogs() []messages.Hog {
	if l := r.list.Load(); l != nil {
		return *l
	}
	return nil
}
