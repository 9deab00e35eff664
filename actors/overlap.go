package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// An item of two queues without a pool in common may run twice at once, as in the
// kernel. Its state names the execution that began last; the worker of the one
// before is told that it lost the item's state, so that its pool does not take it
// for a worker that is about to begin the item.

// overtake is called by a worker that begins an item which runs elsewhere.
func overtake(it *messages.Item, s messages.State) {
	if p, ok := places.get(s.Runner()).(*pool); ok {
		if w := p.whoever(s.Worker()); w != nil {
			w.lost.Store(it)
		}
	}
}

// whoever gives the worker, or rescuer, of a number, from anywhere: see worker.
func (p *pool) whoever(n int) *worker {
	if n >= messages.MaxWorkers-messages.MaxRescuers {
		return p.rescue.table.get(messages.MaxWorkers - 1 - n)
	}
	return p.table.get(n)
}

// workerTable finds a pool's workers by number, from anywhere.
type workerTable struct {
	list atomic.Pointer[[]atomic.Pointer[worker]] // A: grown by the pool
}

func (t *workerTable) get(n int) *worker {
	l := t.list.Load()
	if l == nil || n >= len(*l) {
		return nil
	}
	return (*l)[n].Load()
}

// set is called in the pool's turn.
func (t *workerTable) set(n int, w *worker) {
	l := t.list.Load()
	if l == nil || n >= len(*l) {
		grown := make([]atomic.Pointer[worker], max(8, 2*n))
		if l != nil {
			for i := range *l {
				grown[i].Store((*l)[i].Load())
			}
		}
		l = &grown
		t.list.Store(l)
	}
	(*l)[n].Store(w)
}
