package torture

import (
	"context"
	"math/rand/v2"

	"github.com/cmwq/cmwq"
)

// rooms are operations of those who wait for room, and on rates.
var rooms = []op{
	{"GoContext", 15, func(w *world, r *rand.Rand) {
		ctx, cancel := patience(r)
		defer cancel()
		w.goContext(ctx, w.place(r).now.Load(), r)
	}},
	{"QueueContext", 10, func(w *world, r *rand.Rand) {
		ctx, cancel := patience(r)
		defer cancel()
		it := w.item(r)
		q := w.queue(it, r)
		if r.IntN(2) == 0 {
			w.accept(&it.account, "QueueContext", q.Keyed(r.IntN(numKeys)).QueueContext(ctx, it.Work))
		} else {
			w.accept(&it.account, "QueueContext", q.QueueContext(ctx, it.Work))
		}
	}},
	{"SetRate", 2, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		if r.IntN(4) > 0 { // most do without
			w.check("SetRate", q.SetRate(someRate(1000000), 1000))
			return
		}
		w.check("SetRate", q.SetRate(someRate(r.IntN(50000)), 1+r.IntN(20)))
	}},
}

func (w *world) goContext(ctx context.Context, q *cmwq.Queue, r *rand.Rand) {
	a, do := &w.meter(q).functions, w.body(r)
	put := q.GoContext
	if r.IntN(3) == 0 {
		put = q.Keyed(r.IntN(numKeys)).GoContext
	}
	w.accept(a, "GoContext", put(ctx, func(ctx *cmwq.Context) error {
		a.call(ctx)
		return do(ctx)
	}))
}

// patience is that of who waits for room: what is armed for an hour may have it.
func patience(r *rand.Rand) (context.Context, context.CancelFunc) {
	return context.WithTimeout(bg, micros(r, 100000))
}
