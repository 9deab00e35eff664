package cmwq

import (
	"context"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// View is a queue as a submitter sees it: what the submitter's context knows travels
// with each item that is queued through it. Its methods are safe for concurrent use.
type View struct {
	q *Queue
	carrier
}

// With gives a view of the queue by which the values of ctx travel with each item: a
// value that the item's context does not know is looked up in ctx. So trace spans, loggers
// (ContextWithLogger) and whatever else a request carries are with the item; a value
// must stay valid for as long as the item. Cancellation does not travel, and neither does
// a deadline, unless FollowCancel or FollowDeadline asks for it: the work of a request
// may outlast it. WaitAtMost and RunAtMost limit its time.
//
// Submit takes a view. A Work has what it was queued with last: a Modify or Queue on the
// queue itself takes it away again. An item that passes its own Context hands on what
// travels with itself. An option that makes no sense is ErrOption of every method.
//
// A view costs an allocation, and each item that is queued through it another one, and
// some 50 ns. Items that are not cost nothing.
func (q *Queue) With(ctx context.Context, opts ...ViewOption) *View {
	return &View{q, newCarrier(ctx, q.q, opts)}
}

// Queue is Queue.Queue.
func (v *View) Queue(w *Work) error { return v.QueueContext(atOnce, w) }

// QueueAfter is Queue.QueueAfter. An armed item does not wait yet, for WaitAtMost.
func (v *View) QueueAfter(d time.Duration, w *Work) error {
	f, err := v.wrap(w.Func, d)
	if err != nil {
		return err
	}
	return v.q.q.QueueAfter(d, messages.AnyCPU, &w.item, f, v.q.chained)
}

// Modify is Queue.Modify.
func (v *View) Modify(d time.Duration, w *Work) (wasPending bool, err error) {
	f, err := v.wrap(w.Func, d)
	if err != nil {
		return false, err
	}
	return v.q.q.Modify(d, messages.AnyCPU, &w.item, f, v.q.chained)
}

// QueueContext is Queue.QueueContext.
func (v *View) QueueContext(ctx context.Context, w *Work) error {
	f, err := v.wrap(w.Func, 0)
	if err != nil {
		return err
	}
	return v.q.q.QueueContext(ctx, &w.item, f, v.q.chained)
}

// GoContext is Queue.GoContext.
func (v *View) GoContext(ctx context.Context, f func(*Context) error) error {
	f, err := v.wrap(f, 0)
	if err != nil {
		return err
	}
	return v.q.q.GoContext(ctx, f, v.q.chained)
}

// Go is Queue.Go.
func (v *View) Go(f func(*Context) error) error { return v.GoContext(atOnce, f) }

// Keyed is Queue.Keyed, for the same submitter.
func (v *View) Keyed(key any) *KeyedView { return &KeyedView{v.q.Keyed(key), v.carrier} }

func (v *View) lapses() *actors.Queue { return v.q.q }
