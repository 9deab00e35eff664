package actors

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// QueueContext is Queue, and waits for room in a bounded queue.
func (k *Keyed) QueueContext(ctx context.Context, it *messages.Item, f messages.Func, chained bool) error {
	if k.err != nil || k.queue.bound == nil {
		return k.Queue(it, f, chained)
	}
	return k.queue.within(ctx, it, f, chained, func() error { return k.queueNow(it, f, chained) })
}

// GoContext is Go, and waits for room in a bounded queue.
func (k *Keyed) GoContext(ctx context.Context, f messages.Func, chained bool) error {
	if k.err != nil || k.queue.bound == nil {
		return k.Go(f, chained)
	}
	return k.queue.within(ctx, nil, f, chained, func() error { return k.goNow(f, chained) })
}
