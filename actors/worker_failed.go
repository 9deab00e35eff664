package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/messages"
)

// retryable is a closure that failed: it needs a state from now on.
type retryable struct {
	item  messages.Item
	ext   messages.Ext
	tries messages.Tries
}

// extended is what an item without an Ext gets when it fails.
type extended struct {
	ext   messages.Ext
	tries messages.Tries
}

// failed ends an execution that failed. Without a strategy it is told, and that is
// the end of it. With one the item becomes pending in the operation that ends the
// execution, and waits at the delayer for what the strategy says: nobody finds it idle
// meanwhile. An item that was queued again while it ran, that is disabled or runs
// elsewhere by now does not wait: what the strategy says does not touch it.
func (w *worker) failed(it *messages.Item, f messages.Func, err error) {
	q := w.home.queue
	w.fails(it, f, err)
	if q.sup == nil {
		if it.Kind == messages.KindWork {
			w.end(it)
		} else {
			w.used.add(it)
			it = nil
		}
		w.fail(it, err)
		return
	}
	t := w.tries
	m := &messages.Failed{Err: err, Worker: w.name, Func: f, Tries: t, Home: &q.home, CPU: w.back(), Late: w.late}
	w.late = false
	if w.chain != nil {
		m.Home = &q.Keyed(w.chain.key).armed
	}
	if it.Kind == messages.KindWork {
		m.Item = it
		if !w.keep(it) {
			w.failure, w.failedAt = err, w.report.Ran
			w.end(it)
			m.Tries = note(t, err, w)
			q.final(m)
			return
		}
		if m.Tries == nil {
			m.Tries = triesFor(it)
		}
	} else {
		r := new(retryable)
		r.item.Extend(&r.ext)
		holdItem(&r.item)
		m.Item, m.Tries = &r.item, &r.tries
		w.used.add(it)
	}
	m.Tries.Fail(err, w.pool.sys.now())
	w.failure, w.failedAt = &heldError{err, m.Tries}, w.report.Ran
	q.hold(m)
}

// heldError is a failure that may not be the item's last: who waits for how it ends
// looks again.
type heldError struct {
	error
	tries *messages.Tries
}

// note is what the queue is told of an item that it must not touch.
func note(t *messages.Tries, err error, w *worker) *messages.Tries {
	n := new(messages.Tries)
	if t != nil {
		n.Count, n.First, n.Since = t.Count, t.First, t.Since
	}
	n.Fail(err, w.pool.sys.now())
	return n
}

// triesFor makes the Tries of an item that the caller owns.
func triesFor(it *messages.Item) *messages.Tries {
	if it.Extended() {
		return new(messages.Tries)
	}
	x := new(extended)
	it.Extend(&x.ext)
	return &x.tries
}

// back is the CPU on which a retry is queued: the same share gets it.
func (w *worker) back() uint16 {
	if w.home.room != nil {
		return messages.AnyCPU // of the fixed workers, any
	}
	return uint16(w.home.cpu)
}

// keep ends the execution and makes the worker the item's owner, in one operation.
func (w *worker) keep(it *messages.Item) bool {
	if w.tries != nil && w.tries.Series || w.home.queue.flags.Load() != 0 {
		return false
	}
	for {
		s := it.State()
		if !s.RunBy(w.runs) || s&(messages.Pending|messages.Stop) != 0 || s.Depth() > 0 {
			return false
		}
		if it.Swap(s, s.Ended().Queued(messages.NoPlace)) {
			return true
		}
	}
}

// again is called by a worker that begins an item which failed before, while it is
// pending.
func (w *worker) again(it *messages.Item) {
	if w.tries = it.Tries(); !w.tries.Series {
		w.tries.Came = time.Duration(it.When)
	}
	it.Tried(nil)
	w.dirty.Store(true)
	if invariants.Enabled && w.tries.Waits() {
		panic("an item runs whose failure was not decided")
	}
}

// Tries is what is known of the present item's failures.
func (w *worker) Tries() *messages.Tries { return w.tries }
