package torture

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// asks are executions that ask actors.
var asks = []sort{
	{"ask", 5, sleeps, func(w *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
		n := r.Uint64()
		got, err := cmwq.Request[uint64](ctx, w.echo, n)
		if err == nil && got != n {
			w.t.Errorf("the answer to another: %d, not %d", got, n)
		}
		w.check("Request", err, endOfWaits...)
		return nil
	}},
	{"ask who ends", 1, sleeps, func(w *world, _ *item, ctx *cmwq.Context, _ *rand.Rand) error {
		pid := w.as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if _, ok := c.Message().(uint64); ok {
				c.Stop(c.Self())
			}
		}))
		_, err := cmwq.Request[uint64](ctx, pid, uint64(1))
		if err == nil {
			w.t.Error("an answer of one who ended")
		}
		w.check("Request", err, append(slices.Clone(endOfWaits), cmwq.ErrNoActor)...)
		w.as.Root.Stop(pid)
		return nil
	}},
	{"ask who says nothing", 1, sleeps, func(w *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
		d, cancel := context.WithTimeout(ctx, micros(r, 500))
		defer cancel()
		_, err := cmwq.Request[uint64](d, w.mute, uint64(1))
		if err == nil {
			w.t.Error("an answer of nobody")
		}
		w.check("Request", err, endOfWaits...)
		return nil
	}},
	{"wait for room", 3, sleeps, func(w *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
		d, cancel := context.WithTimeout(ctx, micros(r, 3000))
		defer cancel()
		q := w.place(r).now.Load()
		m := w.meter(q)
		err := q.GoContext(d, func(c *cmwq.Context) error { m.call(c); return nil })
		if err == nil {
			m.functions.accepted.Add(1)
		}
		w.check("GoContext in an item", err, endOfWaits...)
		return nil
	}},
	{"wait for a group", 2, sleeps, func(w *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
		d, cancel := context.WithTimeout(ctx, micros(r, 3000))
		defer cancel()
		w.innerGroup(d, r)
		return nil
	}},
	{"queue with what came along", 3, 0, func(w *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
		q := w.place(r).now.Load()
		id, m := ctx.Value(requestID{}), w.meter(q)
		w.accept(&m.functions, "Go of a view", q.With(ctx).Go(func(c *cmwq.Context) error {
			m.call(c)
			if got := c.Value(requestID{}); got != id {
				w.t.Errorf("the value of another: %v, not %v", got, id)
			}
			return nil
		}))
		return nil
	}},
}

// innerGroup is a group of an item's that gives up soon.
func (w *world) innerGroup(ctx context.Context, r *rand.Rand) {
	q := w.place(r).now.Load()
	m := w.meter(q)
	g := &gang{m: m, to: q}
	w.mu.Lock()
	w.gangs = append(w.gangs, g)
	w.mu.Unlock()
	x := cmwq.NewGroup[int](ctx, g)
	for range 1 + r.IntN(4) {
		x.Go(func(c *cmwq.Context) error { g.call(c); m.calls.Add(1); return nil })
	}
	w.check("Group.Wait in an item", x.Wait(ctx), endOfWaits...)
}
