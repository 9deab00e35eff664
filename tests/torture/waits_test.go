package torture

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/cmwq/cmwq"
)

// waits are executions that wait for others. Where that would never end they are
// told; where workers are too few for it they give up.
var waits = []sort{
	{"flush another", 3, sleeps, waiting(func(w *world, ctx context.Context, r *rand.Rand) error {
		return w.item(r).Flush(ctx)
	})},
	{"cancel another and wait", 3, sleeps, waiting(func(w *world, ctx context.Context, r *rand.Rand) error {
		other := w.item(r)
		was, err := other.CancelWait(ctx)
		other.cancel(was)
		return err
	})},
	{"flush a queue", 1, sleeps, waiting(func(w *world, ctx context.Context, r *rand.Rand) error {
		return w.place(r).now.Load().Flush(ctx)
	})},
	{"wait for a result", 3, sleeps, waiting(func(w *world, ctx context.Context, r *rand.Rand) error {
		q := w.place(r).now.Load()
		f := w.submit(q, q, r.Uint64(), func(*cmwq.Context) error { w.meter(q).calls.Add(1); return nil })
		_, err := f.Wait(ctx)
		return err
	})},
	{"set attributes", 1, sleeps, waiting(func(w *world, ctx context.Context, r *rand.Rand) error {
		return w.place(r).now.Load().SetAttrs(ctx, w.attrs(r)...)
	})},
}

// waiting checks what a wait of an item comes to.
func waiting(wait func(*world, context.Context, *rand.Rand) error) func(*world, *item, *cmwq.Context, *rand.Rand) error {
	return func(w *world, _ *item, c *cmwq.Context, r *rand.Rand) error {
		ctx := context.Context(c)
		if w.scarce || r.IntN(3) == 0 {
			d, cancel := context.WithTimeout(ctx, micros(r, 3000))
			defer cancel()
			ctx = d
		}
		w.check("a wait in an item", wait(w, ctx, r), endOfWaits...)
		return nil
	}
}

// endOfWaits are why waits of items end: refusals, and what ended their group, too.
var endOfWaits = slices.Concat(refusals, failings, []error{cmwq.ErrDeadlock, cmwq.ErrPerCPU, cmwq.ErrCreate, cmwq.ErrDropped})
