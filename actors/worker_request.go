package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// askedOut stands for the requester of a worker that has ended.
var askedOut = new(requester)

// requester gives one that nobody else has: the worker's own, as a rule. A goroutine of
// the item may ask while the item does.
func (w *worker) requester() *requester {
	for {
		a := w.asks.Load()
		if a == nil || a == askedOut {
			return newRequester(w.pool.sys.as)
		}
		if w.asks.CompareAndSwap(a, nil) {
			return a
		}
	}
}

// askedBy keeps it for the next request.
func (w *worker) askedBy(a *requester) {
	if a.open && !a.forget() { // it was left in the middle: by a panic, or refused
		<-a.got // is about to be here, and is nobody's
	}
	if !w.asks.CompareAndSwap(nil, a) {
		a.close()
	}
}

// asksNoMore is for the worker's end.
func (w *worker) asksNoMore() {
	if a := w.asks.Swap(askedOut); a != nil && a != askedOut {
		a.close()
	}
}

// Request asks an actor, for the item itself: ctx is its own.
func (w *worker) Request(ctx context.Context, to *actor.PID, msg any) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if to == nil {
		return nil, messages.ErrNoActor
	}
	a := w.requester()
	defer w.askedBy(a)
	self := a.send(to, msg)
	select {
	case m := <-a.got:
		return a.read(to, m)
	default:
	}
	w.Sleeping()
	defer w.Awake()
	return a.wait(ctx, to, self)
}

// Send is for the item, and goroutines of it.
func (w *worker) Send(to *actor.PID, msg any) { w.pool.sys.as.Root.Send(to, msg) }

// Request asks an actor for whoever has the context of an item, or one that comes
// from it and may end earlier.
func Request(ctx context.Context, to *actor.PID, msg any) (any, error) {
	c, ok := ctx.Value(messages.ItemKey{}).(*messages.Context)
	if !ok {
		return nil, messages.ErrNoItem
	}
	if ctx == context.Context(c) {
		return c.Request(to, msg)
	}
	if err := messages.MayWait(ctx); err != nil {
		return nil, err
	}
	x := inside(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case x == nil:
		return nil, messages.ErrNoItem
	case to == nil:
		return nil, messages.ErrNoActor
	}
	a := x.worker.requester()
	defer x.worker.askedBy(a)
	self := a.send(to, msg)
	e, err := x.enter(ctx, "ask", askWait{a, self.RequestId})
	if err != nil {
		return nil, err
	}
	defer e.leave()
	return a.wait(ctx, to, self)
}

// askWait is a wait for an actor. What that waits for is not known.
type askWait struct {
	a *requester
	n uint32
}

func (t askWait) over() bool { return t.a.want.Load() != t.n }

func (t askWait) expand(k *walk) int { return k.node(0, messages.Party{Item: true}) }
