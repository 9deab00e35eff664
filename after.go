package cmwq

import (
	"context"
	"fmt"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Errors of work that is queued after other work.
var (
	ErrDependency = messages.ErrDependency // other work did not end well: a *DependencyError
	ErrCycle      = messages.ErrCycle      // work cannot be queued after itself
)

// DependencyError says why work did not run: what became of other work that it was to
// be queued after.
type DependencyError = messages.DependencyError

// Dependency is what work can be queued after: a *Work, of which the instance counts
// that was queued last, or a *Future.
type Dependency interface{ dependency() actors.Dependency }

// After queues work when other work has ended. It is a Queuer. Its methods are safe for
// concurrent use.
type After struct {
	deps    []actors.Dependency
	err     error
	onlyOK  bool
	chained bool
	wrap    func(f func(*Context) error, d time.Duration) (func(*Context) error, error) // of a view; nil for none
	to      interface {
		QueueBehind(ctx context.Context, deps []actors.Dependency, onlyOK bool, it *messages.Item, f messages.Func, chained bool) error
	}
}

// After gives a view of the queue for work that is to be queued when all of deps have
// ended: at once if none of them is pending or runs. How they ended does not matter,
// unless OnlyOK says so; results of futures are at hand then.
//
// What counts is the instance that is pending, or else runs, when Queue is called; it is
// waited for wherever Modify moves it. The work that waits is pending, and armed: Cancel
// and Disable take it off, Flush of it waits, Flush and Drain of the queue do not wait
// for it, Modify queues it whatever it waits for; Destroy and Stop report it as dropped,
// and so does a queue that drains when its turn has come.
//
// Work waits only for what was accepted before it, so that no ring can come about; work
// behind itself is ErrCycle. An item that waits for work which waits for the item gets a
// *DeadlockError. No goroutine and no look at the clock: a message for each dependency.
// Work that nothing depends on pays nothing.
func (q *Queue) After(deps ...Dependency) *After {
	a := &After{to: q.q, chained: q.chained}
	a.add(deps)
	return a
}

// After gives a view of the key, as that of the queue.
func (k *Keyed) After(deps ...Dependency) *After {
	a := &After{to: k.k, chained: k.chained}
	a.add(deps)
	return a
}

func (a *After) add(deps []Dependency) {
	for i, d := range deps {
		if d == nil {
			a.err = fmt.Errorf("%w: After: dependency %d is nil", ErrOption, i)
			return
		}
		a.deps = append(a.deps, d.dependency())
	}
}

// OnlyOK gives the same view for work that is not to run if one of the others fails, is
// cancelled or is dropped: as soon as that is known the work is dropped with a
// *DependencyError, which a Future gives and Stats count as Dropped. If it is known by
// the time of Queue, that returns it.
func (a *After) OnlyOK() *After {
	b := *a
	b.onlyOK = true
	return &b
}

// Queue queues w when the others have ended. Errors are those of Queue.Queue, ErrCycle,
// ErrOption for a nil dependency, and *DependencyError.
func (a *After) Queue(w *Work) error { return a.QueueContext(atOnce, w) }

// QueueContext is Queue, and waits for room in a bounded queue, in which w has its room
// from then on, as Queue.QueueContext does.
func (a *After) QueueContext(ctx context.Context, w *Work) error {
	if a.err != nil {
		return a.err
	}
	for _, d := range a.deps {
		if x, ok := d.(workDependency); ok && x.Work == w {
			return ErrCycle
		}
	}
	f := w.Func
	if a.wrap != nil {
		var err error
		if f, err = a.wrap(f, 0); err != nil {
			return err
		}
	}
	return a.to.QueueBehind(ctx, a.deps, a.onlyOK, &w.item, f, a.chained)
}

// Go queues a function to run once when the others have ended.
func (a *After) Go(f func(*Context) error) error { return a.Queue(NewWork(f)) }

// GoContext is Go, and waits for room in a bounded queue.
func (a *After) GoContext(ctx context.Context, f func(*Context) error) error {
	return a.QueueContext(ctx, NewWork(f))
}

func (w *Work) dependency() actors.Dependency { return workDependency{w} }

func (f *Future[T]) dependency() actors.Dependency { return futureDependency[T]{f} }

type workDependency struct{ *Work }

func (d workDependency) Watch(e *actors.Edge) (waits bool, failure error) {
	return e.Work(&d.item)
}

type futureDependency[T any] struct{ *Future[T] }

func (d futureDependency[T]) Watch(e *actors.Edge) (waits bool, failure error) {
	if d.state.Load() == resolved {
		return false, d.err
	}
	e.Future(&d.work.item)
	d.then(func() { e.Told(d.err) })
	return true, nil
}
