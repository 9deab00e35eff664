package cmwq

import (
	"context"
	"reflect"
	"runtime"
	"sync/atomic"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Future is the result of a function that was submitted to a queue.
type Future[T any] struct {
	work  Work
	ext   messages.Ext
	f     func(*Context) (T, error)
	value T
	err   error
	state atomic.Pointer[awaited] // nil: nobody waits; resolved: it is there
	rare  atomic.Pointer[rare]    // A: nil for most
}

// Queuer is what takes a Work: a Queue, or what is made of one: Keyed, a View or KeyedView
// (With), a Pipe, an After.
type Queuer interface{ Queue(w *Work) error }

// Submit queues f and gives a Future for its result. A refusal is the Future's
// error. One allocation.
func Submit[T any](q Queuer, f func(*Context) (T, error)) *Future[T] {
	return submitIn(q, f, q.Queue)
}

// atOnce is the context of who does not wait for room in a bounded queue.
var atOnce context.Context

// submitIn is submit, for a queue whose items may lapse.
func submitIn[T any](q any, f func(*Context) (T, error), queue func(*Work) error) *Future[T] {
	if l, ok := q.(lapsing); ok {
		if to := l.lapses(); to != nil {
			var c *actors.Carry
			if v, ok := q.(carries); ok {
				c = v.carry()
			}
			return submitLapsing(to, c, f, queue)
		}
	}
	return submit(f, queue)
}

func submit[T any](f func(*Context) (T, error), queue func(*Work) error) *Future[T] {
	fut := &Future[T]{f: f}
	fut.submit(queue)
	return fut
}

func (f *Future[T]) submit(queue func(*Work) error) {
	f.work.Func = runFuture
	f.ext.Msg = f
	f.work.item.Extend(&f.ext)
	if f.f == nil {
		f.Dropped(ErrNoFunc)
	} else if err := queue(&f.work); err != nil {
		f.Dropped(err)
	}
}

// runFuture is the function of every future's item. Which future it is hangs on the
// item, so that none needs a closure of its own.
func runFuture(ctx *Context) error {
	it, _ := ctx.Host().Current()
	return it.Msg().(runner).run(ctx)
}

// runner is a future, or what stands in for one.
type runner interface{ run(ctx *Context) error }

func (f *Future[T]) run(ctx *Context) (err error) {
	ended := false
	f.rare.Load().stop()
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: stack()}
		} else {
			err = ErrGoexit
		}
		f.attempted(ctx, f.value, err)
	}()
	v, err := f.f(ctx)
	err = actors.Overdue(ctx, err)
	ended = true
	f.attempted(ctx, v, err)
	return err
}

// attempted resolves the future, unless its queue's strategy may run the function
// again: then the engine says which failure was the last.
func (f *Future[T]) attempted(ctx *Context, v T, err error) {
	if err == nil || !ctx.Owner().(*actors.Queue).Supervised() {
		f.resolve(v, err)
	} else if f.state.Load() != resolved {
		f.value = v
	}
}

// Failed resolves the future of a function whose last execution has failed. For the engine.
func (f *Future[T]) Failed(err error) { f.resolve(f.value, err) }

func stack() []byte {
	b := make([]byte, 16<<10)
	return b[:runtime.Stack(b, false)]
}

// Calls is the code of the function, for dumps and reports. For the engine.
func (f *Future[T]) Calls() uintptr { return reflect.ValueOf(f.f).Pointer() }

// Dropped resolves the future of a function that will not run. For the engine.
func (f *Future[T]) Dropped(err error) { f.resolve(f.value, err) }

func (f *Future[T]) resolve(v T, err error) {
	if f.state.Load() == resolved {
		return // it runs again, as a dead letter that was queued anew
	}
	f.rare.Load().stop()
	f.value, f.err = v, err
	f.state.Swap(resolved).tell()
}

// Done is closed when the result is there.
func (f *Future[T]) Done() <-chan struct{} {
	for {
		now := f.state.Load()
		if now != nil && now.done != nil {
			return now.done
		}
		if next := now.withDone(); f.state.CompareAndSwap(now, next) {
			return next.done
		}
	}
}

// Wait waits for the result: what the function returned, its *PanicError or
// ErrGoexit, or why it was refused or dropped. When ctx ends first it returns
// context.Cause(ctx), and the function goes on; ErrAtomic if ctx comes from an item
// of a BH queue and the result is not there yet.
//
// An item passes its own context, or one derived from it: then its pool knows, and
// another worker starts meanwhile; and a wait that would never end, as that for
// itself, is a *DeadlockError at once. Await(ctx, fut.Done()) lets the pool know,
// but sees no deadlock.
func (f *Future[T]) Wait(ctx context.Context) (T, error) {
	if f.state.Load() != resolved {
		if err := messages.MayWait(ctx); err != nil {
			var zero T
			return zero, err
		}
		if err := actors.Wait(ctx, &f.work.item, f.Done()); err != nil {
			var zero T
			return zero, err
		}
	}
	return f.value, f.err
}

// Cancel takes the function off the queue, and says whether it was still
// pending; the result is then ErrCancelled.
func (f *Future[T]) Cancel() bool {
	if !f.work.Cancel() {
		return false
	}
	f.Dropped(ErrCancelled)
	return true
}
