package actors

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// say changes the worker's phase and tells the pool. The note is level-triggered:
// if it is listed already, its reader will see the new phase.
func (w *worker) say(phase uint32) {
	w.phase.Store(phase)
	w.pool.mb.postOnce(&w.noted)
}

// Context makes the item's context when it is first asked for, by the item or by
// a goroutine that the item started.
func (w *worker) Context() context.Context {
	if x := w.execution(); x != nil {
		return x.Context
	}
	return ended
}

// execution is the present one, nil if the item is over.
func (w *worker) execution() *itemContext {
	if w.cur == nil {
		return nil
	}
	if x := w.context.Load(); x != nil {
		return x
	}
	q := w.home.queue
	ctx, cancel := context.WithCancelCause(q.context())
	x := &itemContext{Context: ctx, item: w.cur, cancel: cancel, worker: w, queue: q}
	x.observe()
	if w.extras != nil {
		x.extend(w.extras)
	}
	if !w.context.CompareAndSwap(nil, x) {
		cancel(nil) // another goroutine was first
		x.release()
		return w.execution()
	}
	w.dirty.Store(true)
	if w.cur.Kind == messages.KindWork && w.cur.State()&messages.Stop != 0 {
		cancel(causeOf(w.cur))
	}
	return x
}

// interrupt cancels the context of the execution of an item whose STOP is set;
// one that was not asked for yet will be made cancelled.
func (w *worker) interrupt(it *messages.Item) {
	if c := w.context.Load(); c != nil && c.item == it {
		c.cancel(causeOf(it))
	}
}

// ended is the context of an item that is over.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// maxDesc is how long a description may be (kernel: WORKER_DESC_LEN).
const maxDesc = 31

// Describe keeps at most 31 bytes, until the item ends.
func (w *worker) Describe(text string) {
	text = text[:min(len(text), maxDesc)]
	w.desc.Store(&text)
	w.dirty.Store(true)
}

// CPU is the logical CPU of the pool.
func (w *worker) CPU() int { return w.pool.cpu }

// Name is kworker/...
func (w *worker) Name() string { return w.name }

// Owner is the queue of the present item.
func (w *worker) Owner() any { return w.home.queue }

// clean ends what the item made of its context.
func (w *worker) clean() {
	w.dirty.Store(false)
	if c := w.context.Load(); c != nil {
		c.cancel(context.Canceled) // before it is gone: see inside
		c.release()
		w.context.Store(nil)
		w.ctx = w.ctx.Next() // what was derived from this one may still ask it
		w.slept += time.Duration(c.waits.slept.Load())
	}
	w.desc.Store(nil)
	w.extras, w.tries = nil, nil
}

// fail tells the queue. It is the only message that an item of its own costs.
func (w *worker) fail(it *messages.Item, err error) {
	if len(w.train.shares) > 0 {
		w.home.failed.Add(1)
	} else {
		w.report.Failed++
	}
	w.failure, w.failedAt = err, w.report.Ran
	w.home.queue.tellFailed(&messages.Failed{Item: it, Err: err, Worker: w.name})
}

// broke ends an item that panicked or called Goexit. After Goexit the goroutine
// unwinds: the lease is reported as it is, and the dispatcher goes on with the
// worker's mailbox on another goroutine.
func (w *worker) broke(value any) {
	err := messages.ErrGoexit
	if value != nil {
		err = &messages.PanicError{Value: value, Stack: debug.Stack()}
	}
	w.ends(err)
	w.failed(w.cur, w.lease.Func(), err)
	if w.deep != 0 {
		w.leaked(nil)
	}
	if w.dirty.Load() {
		w.clean()
	}
}
