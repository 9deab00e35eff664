package cmwq

import (
	"context"
	"time"

	"github.com/cmwq/cmwq/actors"
)

// KeyedView is a key of a queue as a submitter sees it. Its methods are safe for
// concurrent use.
type KeyedView struct {
	k *Keyed
	carrier
}

// With gives a view of the key by which the values of ctx travel with each item: see
// Queue.With.
func (k *Keyed) With(ctx context.Context, opts ...ViewOption) *KeyedView {
	return &KeyedView{k, newCarrier(ctx, k.k.Of(), opts)}
}

// Queue is Keyed.Queue.
func (v *KeyedView) Queue(w *Work) error { return v.QueueContext(atOnce, w) }

// QueueAfter is Keyed.QueueAfter.
func (v *KeyedView) QueueAfter(d time.Duration, w *Work) error {
	f, err := v.wrap(w.Func, d)
	if err != nil {
		return err
	}
	return v.k.k.QueueAfter(d, &w.item, f, v.k.chained)
}

// Modify is Keyed.Modify.
func (v *KeyedView) Modify(d time.Duration, w *Work) (wasPending bool, err error) {
	f, err := v.wrap(w.Func, d)
	if err != nil {
		return false, err
	}
	return v.k.k.Modify(d, &w.item, f, v.k.chained)
}

// QueueContext is Keyed.QueueContext.
func (v *KeyedView) QueueContext(ctx context.Context, w *Work) error {
	f, err := v.wrap(w.Func, 0)
	if err != nil {
		return err
	}
	return v.k.k.QueueContext(ctx, &w.item, f, v.k.chained)
}

// GoContext is Keyed.GoContext.
func (v *KeyedView) GoContext(ctx context.Context, f func(*Context) error) error {
	f, err := v.wrap(f, 0)
	if err != nil {
		return err
	}
	return v.k.k.GoContext(ctx, f, v.k.chained)
}

// Go is Keyed.Go.
func (v *KeyedView) Go(f func(*Context) error) error { return v.GoContext(atOnce, f) }

func (v *KeyedView) lapses() *actors.Queue { return v.k.k.Of() }
