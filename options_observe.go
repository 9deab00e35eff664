package cmwq

import (
	"fmt"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// WithObserver has observers told of what happens to items and workers, one after the
// other. Package observe has some that are ready. It may be given more than once.
//
// An observer is called where the event happens, before anything goes on there: on the
// goroutine of who queues or cancels, on that of the worker, on that of an actor of the
// engine, and on several of them at a time. It may be inside a lock of the caller's, and
// in a turn of a pool, for which all items of that pool wait. So it must be quick, and
// must not block, nor wait for anything that an item, the engine, or somebody who holds a
// lock while queueing may hold up; it may queue work, which is told of as other work is,
// but must not flush, drain, cancel or ask for a Snapshot. It must not call
// runtime.Goexit, as a test's FailNow does. A panic is contained and logged, and the observer is told nothing
// more.
//
// Events of one item come in order. Those of different items, of one pool even, may
// overlap and come in any. After Stop none comes, unless that left items running.
//
// Without observers nothing is paid but a test of a pointer here and there, and nothing
// for the kinds that no observer wants: see Choosy. All that is told of an item costs
// 0.25 µs, beside what the observers do with it, and no allocation.
func WithObserver(all ...Observer) Option {
	return func(o *actors.Options) error {
		for _, x := range all {
			if x == nil {
				return fmt.Errorf("%w: WithObserver(nil)", messages.ErrOption)
			}
		}
		o.Observers = append(o.Observers, all...)
		return nil
	}
}
