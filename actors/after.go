package actors

import (
	"context"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// dependent is an item that is to be queued when others have ended. Until then it is
// armed at the delayer, with no time: cancel, disable, Modify and the end of its queue
// find it there. Each of the others has an edge, which is told in the pool's turn as a
// flush is.
//
// An item waits for instances that were accepted before its own was. So no items can
// wait for each other in a ring.
type dependent struct {
	messages.Home                // of the item for as long as it waits
	queue         *Queue         // I:
	home          *messages.Home // I: where it goes: the queue's, or a key's
	item          *messages.Item // I:
	edges         []*Edge        // I: before it is armed
	pol           policy.After   // delayer:
	failure       error          // delayer: of the first that did not end well
	waiters       []waiter       // delayer: who waits for this instance
}

// Dependency is what an item can wait for.
type Dependency interface {
	// Watch has the edge told when it has ended, or says that it has, and how.
	Watch(e *Edge) (waits bool, failure error)
}

// QueueBehind queues an item when all of deps have ended: at once if they have. onlyOK
// says that it is not to run if one of them did not end well. It waits for room in a
// bounded queue until ctx ends, and not at all with atOnce.
func (q *Queue) QueueBehind(ctx context.Context, deps []Dependency, onlyOK bool, it *messages.Item, f messages.Func, chained bool) error {
	behind := func() error {
		return q.behind(deps, onlyOK, it, f, &q.home, func() error {
			t := q.table.Load()
			return q.queueOn(t, t.choose(), messages.AnyCPU, it, f, chained)
		})
	}
	if q.bound == nil {
		return behind()
	}
	return q.within(ctx, it, f, chained, behind)
}

// QueueBehind is that, with a key.
func (k *Keyed) QueueBehind(ctx context.Context, deps []Dependency, onlyOK bool, it *messages.Item, f messages.Func, chained bool) error {
	if k.err != nil {
		return k.err
	}
	behind := func() error {
		return k.queue.behind(deps, onlyOK, it, f, &k.armed, func() error { return k.queueNow(it, f, chained) })
	}
	if k.queue.bound == nil {
		return behind()
	}
	return k.queue.within(ctx, it, f, chained, behind)
}

func (q *Queue) behind(deps []Dependency, onlyOK bool, it *messages.Item, f messages.Func, home *messages.Home, now func() error) error {
	if f == nil {
		return messages.ErrNoFunc
	}
	if err := taken(it); err != nil {
		return err
	}
	dep := &dependent{queue: q, home: home, item: it, pol: policy.NewAfter(len(deps), onlyOK)}
	dep.Owner = dep
	all := true
	for _, d := range deps {
		e := &Edge{dep: dep}
		dep.edges = append(dep.edges, e)
		switch waits, failure := d.Watch(e); {
		case waits:
			all = false
		case onlyOK && failure != nil:
			return &messages.DependencyError{Err: failure}
		default:
			e.Told(failure)
		}
	}
	if all {
		return now()
	}
	if fl := q.flags.Load(); fl != 0 {
		return why(fl)
	}
	d := q.sys.delayer
	if _, err := claim(it, d.id, messages.Delayed); err != nil {
		return err
	}
	it.Func = f
	it.Home, it.CPU = &dep.Home, messages.AnyCPU
	if _, ok := d.mb.post(it); !ok {
		idleItem(it)
		return messages.ErrStopped
	}
	return nil
}
