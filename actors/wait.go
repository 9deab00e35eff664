package actors

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// wait is one wait inside an item: a caller that has the item's context, or one
// derived from it, waits for another item or for a queue. It is published with the
// execution for as long as it goes on, so that others find it: the kernel's
// lockdep, but for what happens and not for what might.
type wait struct {
	x       *itemContext    // I: the execution
	op      string          // I: flush, cancel, ...
	ctx     <-chan struct{} // I: Done of the caller's context: the wait ends with it, too
	on      waitedFor       // I:
	since   time.Duration   // I:
	refused chan error      // A: told if the wait turns out to be one that never ends
}

// over says whether the wait has ended, though its caller may not know yet.
func (e *wait) over() bool {
	select {
	case <-e.ctx:
		return true
	default:
		return e.on.over()
	}
}

// waitedFor is what a wait waits for.
type waitedFor interface {
	over() bool
	expand(k *walk) int // the node of it, with what it waits for in turn
}

// waitState is the part of an execution that has to do with its waits.
type waitState struct {
	list  atomic.Pointer[waitList] // A: published waits
	naps  atomic.Int32             // A: how many those are
	again atomic.Bool              // A: they will be looked at again
	slept atomic.Int64             // A: time spent in those that are over, ns
}

type waitList struct {
	e    *wait
	next *waitList
}

// inside finds the execution that a context belongs to, nil if none or if that
// has ended. A goroutine that an item started may have its context, too: what it
// waits for counts as waited for by the item.
func inside(ctx context.Context) *itemContext {
	c, ok := ctx.Value(messages.ItemKey{}).(*messages.Context)
	if !ok {
		return nil
	}
	w, ok := c.Host().(*worker)
	if !ok {
		return nil
	}
	x := w.context.Load()
	if ctx.Err() != nil {
		return nil
	}
	if x == nil { // nobody has asked for it yet: ctx is c, or has a value more
		return w.execution()
	}
	return x // of the item of ctx: a context ends before the next one is made
}

// enter publishes a wait, and looks whether it would never end. Publishing comes
// first: of several waits that close a ring at the same time the last one
// published sees it whole. Inside a wait the worker counts as sleeping, so that it
// holds up nobody.
func (x *itemContext) enter(ctx context.Context, op string, on waitedFor) (*wait, error) {
	e := &wait{
		x: x, op: op, ctx: ctx.Done(), on: on, since: x.worker.pool.sys.now(), refused: make(chan error, 1),
	}
	for n := (&waitList{e: e}); ; {
		n.next = x.waits.list.Load()
		if x.waits.list.CompareAndSwap(n.next, n) {
			break
		}
	}
	if x.waits.naps.Add(1) == 1 {
		x.sleeps(e.since)
		x.worker.pool.mb.postOnce(&x.worker.noted)
	}
	if d := x.deadlock(e); d != nil {
		e.leave()
		return nil, d
	}
	return e, nil
}

func (e *wait) leave() {
	x := e.x
	for {
		old := x.waits.list.Load()
		if x.waits.list.CompareAndSwap(old, old.without(e)) {
			break
		}
	}
	now := x.worker.pool.sys.now()
	x.waits.slept.Add(int64(now - e.since))
	if x.waits.naps.Add(-1) == 0 {
		x.wakes(now, now-e.since)
		x.worker.pool.mb.postOnce(&x.worker.noted)
	}
}

func (l *waitList) without(e *wait) *waitList {
	if l.e == e {
		return l.next
	}
	return &waitList{l.e, l.next.without(e)}
}

// napping says whether the worker's present item waits, declared by the wait
// itself.
func (w *worker) napping() bool {
	x := w.context.Load()
	return x != nil && x.waits.naps.Load() > 0
}

// Wait waits until done is closed, which the item's end does: that of a future. Inside
// an item it is a wait that may be refused.
func Wait(ctx context.Context, it *messages.Item, done <-chan struct{}) error {
	return waitFor(ctx, &futureWait{it, done}, done)
}

// waitFor waits for it, whatever it is.
func waitFor(ctx context.Context, on waitedFor, done <-chan struct{}) error {
	var refused chan error
	if x := inside(ctx); x != nil {
		e, err := x.enter(ctx, "wait for", on)
		if err != nil {
			return err
		}
		defer e.leave()
		refused = e.refused
	}
	select {
	case <-done:
		return nil
	case err := <-refused:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// itself is the error of an item that would wait for itself, or for its queue.
func (x *itemContext) itself(op string, what messages.Party) error {
	return &messages.DeadlockError{Op: op, Who: x.party(), For: what}
}

func (x *itemContext) party() messages.Party {
	return x.worker.party(x.queue)
}

// party is the worker's present item, of that queue.
func (w *worker) party(q *Queue) messages.Party {
	p := messages.Party{Queue: q.name, Worker: w.name, Item: true}
	if d := w.desc.Load(); d != nil {
		p.Desc = *d
	}
	return p
}
