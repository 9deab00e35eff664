package torture

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
)

// item is a reusable item, and what became of it. One that is at no place goes to
// any, and may then run twice at once; the others may not.
type item struct {
	account
	*cmwq.Work
	id int
	at *place
	in atomic.Int32 // executions in progress
}

// brief says that other work may be queued behind it; it is not itself behind others.
func (it *item) brief() bool { return it.at != nil && it.id%2 == 0 }

var errTorture = errors.New("of the torture")

// sort is what an execution may be like. it is nil when a function is executed.
type sort struct {
	name   string
	weight int
	is     nature
	do     func(w *world, it *item, ctx *cmwq.Context, r *rand.Rand) error
}

// nature says of which sort an execution may not be everywhere.
type nature uint8

const (
	bad    nature = 1 << iota // it fails
	sleeps                    // not for BH queues
)

// sorts are looked up by what they queue, which is why init makes them.
var sorts []sort

func init() {
	sorts = []sort{
		{"short", 300, 0, func(*world, *item, *cmwq.Context, *rand.Rand) error { return nil }},
		{"yield", 30, 0, func(_ *world, _ *item, ctx *cmwq.Context, _ *rand.Rand) error { ctx.Yield(); return nil }},
		{"sleep", 10, sleeps, func(_ *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
			_ = ctx.Sleep(micros(r, 300))
			return nil
		}},
		{"block", 10, sleeps, func(_ *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
			ctx.Block(func() {
				if r.IntN(2) == 0 {
					_ = ctx.Sleep(micros(r, 100))
				}
				runtime.Gosched()
			})
			return nil
		}},
		{"block, say nothing", 1, sleeps, func(_ *world, _ *item, _ *cmwq.Context, r *rand.Rand) error {
			time.Sleep(micros(r, 3000))
			return nil
		}},
		{"burn", 1, 0, func(w *world, _ *item, _ *cmwq.Context, r *rand.Rand) error {
			if w.virtual {
				time.Sleep(micros(r, 15000)) // as far as the pool can tell
				return nil
			}
			for end := time.Now().Add(micros(r, 15000)); time.Now().Before(end); {
			}
			return nil
		}},
		{"wait for the context", 2, sleeps, func(_ *world, _ *item, ctx *cmwq.Context, _ *rand.Rand) error {
			_, _ = cmwq.Await(ctx, time.After(2*time.Millisecond))
			return nil
		}},
		{"fail", 2, bad, func(*world, *item, *cmwq.Context, *rand.Rand) error { return errTorture }},
		{"panic", 2, bad, func(*world, *item, *cmwq.Context, *rand.Rand) error { panic(errTorture) }},
		{"goexit", 2, bad, func(*world, *item, *cmwq.Context, *rand.Rand) error { runtime.Goexit(); return nil }},
		{"panic in block", 1, bad | sleeps, func(_ *world, _ *item, ctx *cmwq.Context, _ *rand.Rand) error {
			ctx.Block(func() { panic(errTorture) })
			return nil
		}},
		{"goexit in block", 1, bad | sleeps, func(_ *world, _ *item, ctx *cmwq.Context, _ *rand.Rand) error {
			ctx.Block(runtime.Goexit)
			return nil
		}},
		{"queue itself again", 5, 0, func(w *world, it *item, ctx *cmwq.Context, _ *rand.Rand) error {
			if it != nil {
				w.accept(&it.account, "itself", cmwq.CurrentQueue(ctx).Queue(it.Work))
			}
			return nil
		}},
		{"queue another", 10, 0, func(w *world, _ *item, _ *cmwq.Context, r *rand.Rand) error {
			other := w.item(r)
			w.accept(&other.account, "another", w.queue(other, r).Queue(other.Work))
			return nil
		}},
		{"cancel another", 5, 0, func(w *world, _ *item, _ *cmwq.Context, r *rand.Rand) error {
			other := w.item(r)
			other.cancel(other.Cancel())
			return nil
		}},
		{"queue a function", 5, 0, func(w *world, it *item, ctx *cmwq.Context, r *rand.Rand) error {
			if it != nil { // one of a function's would have no end
				w.queueGo(cmwq.CurrentQueue(ctx), r.Uint64())
			}
			return nil
		}},
	}
	sorts = slices.Concat(sorts, waits, breaks, asks, restings)
}

func micros(r *rand.Rand, most int) time.Duration {
	return time.Duration(r.IntN(most)) * time.Microsecond
}

func (w *world) newItem(p *place) *item {
	it := &item{id: len(w.items), at: p}
	it.Work = cmwq.NewWork(func(ctx *cmwq.Context) error {
		if it.in.Add(1) != 1 && p != nil {
			w.t.Errorf("item %d of a %s queue runs twice at once", it.id, kinds[p.kind].name)
		}
		defer it.in.Add(-1)
		n := it.call(ctx)
		return w.execute(it, ctx, rand.New(rand.NewPCG(w.seed^uint64(it.id)<<32, uint64(n))))
	})
	return it
}

// queueGo queues a function, which nobody can queue twice.
func (w *world) queueGo(q *cmwq.Queue, seed uint64) {
	a := &w.meter(q).functions
	w.accept(a, "Go", q.Go(func(ctx *cmwq.Context) error {
		a.call(ctx)
		return w.execute(nil, ctx, rand.New(rand.NewPCG(w.seed, seed)))
	}))
}

// execute is what every execution does: be counted, and be of some sort.
func (w *world) execute(it *item, ctx *cmwq.Context, r *rand.Rand) error {
	w.runs.Add(1)
	w.in.Add(1)
	defer w.in.Add(-1)
	m := w.meter(cmwq.CurrentQueue(ctx))
	m.calls.Add(1)
	defer m.enter(w)()
	s := sorts[pick(r, len(sorts), func(i int) int { return m.weight(&sorts[i]) })]
	if s.is&bad != 0 {
		w.failures.Add(1)
		m.bad.Add(1)
	}
	return s.do(w, it, ctx, r)
}

// pick chooses one of n by weight.
func pick(r *rand.Rand, n int, weight func(int) int) int {
	sum := 0
	for i := range n {
		sum += weight(i)
	}
	x := r.IntN(sum)
	for i := range n {
		if x -= weight(i); x < 0 {
			return i
		}
	}
	panic("torture: no weight")
}
