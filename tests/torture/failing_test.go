package torture

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// breaks are executions that fail, and say more than that.
var breaks = []sort{
	{"fail for good", 1, bad, func(*world, *item, *cmwq.Context, *rand.Rand) error { return cmwq.Permanent(errTorture) }},
	{"fail, and be back soon", 2, bad, func(_ *world, _ *item, _ *cmwq.Context, r *rand.Rand) error {
		return cmwq.RetryAfter(micros(r, 200), errTorture)
	}},
	{"fail a while", 2, bad | sleeps, func(_ *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
		_ = ctx.Sleep(micros(r, 200))
		return errTorture
	}},
	{"fail, queued again", 1, bad, func(w *world, it *item, ctx *cmwq.Context, _ *rand.Rand) error {
		if it != nil {
			w.accept(&it.account, "itself", cmwq.CurrentQueue(ctx).Queue(it.Work))
		}
		return errTorture
	}},
}

// failing are operations on what has failed.
var failing = []op{
	{"Requeue", 3, func(w *world, r *rand.Rand) {
		w.requeue(w.place(r).now.Load(), nil)
	}},
	{"look at dead letters", 3, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		q := w.place(r).now.Load()
		list, err := q.DeadLetters(ctx)
		w.check("DeadLetters", err)
		for i, x := range list {
			switch r.IntN(6) {
			case 0:
				w.requeue(q, []uint64{x.ID, list[r.IntN(i+1)].ID})
			case 1:
				_, err := q.Discard(x.ID)
				w.check("Discard", err)
			}
		}
	}},
	{"make again", 30, func(w *world, r *rand.Rand) { w.remake(w.place(r)) }},
	{"use attempt and last error", 1, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		a := &w.meter(q).functions
		timed := strings.HasPrefix(q.Name(), "timed")
		var last error
		was := 0
		w.accept(a, "Go", q.Go(func(ctx *cmwq.Context) error {
			a.call(ctx)
			// A dead letter begins anew. What came too late was not called.
			if n := ctx.Attempt(); n != was+1 && n != 1 && (!timed || n <= was) {
				w.t.Errorf("attempt %d after %d", n, was)
			}
			if got := ctx.LastError(); (ctx.Attempt() > 1) != (got != nil) {
				w.t.Errorf("attempt %d, and the last error is %v; it was %v", ctx.Attempt(), got, last)
			}
			was = ctx.Attempt()
			last = w.execute(nil, ctx, rand.New(rand.NewPCG(w.seed, uint64(was))))
			return last
		}))
	}},
}

func (w *world) requeue(q *cmwq.Queue, ids []uint64) {
	n, err := q.Requeue(slices.Compact(ids)...)
	w.others.accepted.Add(int64(n))
	w.requeued.Add(int64(n))
	w.check("Requeue", err, refusals...)
	if !w.meter(q).kind.fails && n > 0 {
		w.t.Errorf("%d dead letters of a queue without a strategy", n)
	}
}

// supervise has a strategy that looks at what it is told.
func supervise(s supervisor.Strategy) cmwq.QueueOption { return cmwq.Supervise(spy{s}) }

type spy struct{ supervisor.Strategy }

// present is the world of this round.
var present atomic.Pointer[world]

// Decide complains of failures that nobody made.
func (s spy) Decide(f supervisor.Failure, now time.Duration, m *supervisor.Memory) supervisor.Action {
	w := present.Load()
	w.known(f.Queue, f.Err)
	w.known(f.Queue, f.First)
	if f.Attempt < 1 || f.Attempt == 1 && !errors.Is(f.Err, f.First) {
		w.t.Errorf("no such failure: %+v", f)
	}
	return s.Strategy.Decide(f, now, m)
}
