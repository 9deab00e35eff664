package torture

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

var groups = []op{{"Group", 4, func(w *world, r *rand.Rand) {
	ctx, cancel := patience(r)
	defer cancel()
	w.group(ctx, r)
}}}

// gang is a group, and what became of its members.
type gang struct {
	account
	m  *meter
	to interface {
		cmwq.Queuer
		cmwq.ContextQueuer
	}
}

// Queue and QueueContext count who is queued.
func (g *gang) Queue(w *cmwq.Work) error { return g.count(g.to.Queue(w)) }

func (g *gang) QueueContext(ctx context.Context, w *cmwq.Work) error {
	return g.count(g.to.QueueContext(ctx, w))
}

func (g *gang) count(err error) error {
	if err == nil {
		g.accepted.Add(1)
	}
	return err
}

// group runs a few functions as a group, and waits for it.
func (w *world) group(ctx context.Context, r *rand.Rand) {
	q := w.place(r).now.Load()
	g := &gang{m: w.meter(q), to: q}
	if r.IntN(3) == 0 {
		g.to = q.Keyed(r.IntN(numKeys))
	}
	w.mu.Lock()
	w.gangs = append(w.gangs, g)
	w.mu.Unlock()
	x := cmwq.NewGroup[uint64](ctx, g)
	if r.IntN(2) == 0 {
		x.SetLimit(1 + r.IntN(3))
	}
	n := uint64(1 + r.IntN(8))
	var ended atomic.Uint64
	for i := range n {
		do := w.body(r)
		x.Submit(func(ctx *cmwq.Context) (uint64, error) {
			g.call(ctx)
			defer ended.Add(1)
			return i, do(ctx)
		})
	}
	err := x.Wait(ctx)
	if err == nil && ended.Load() < n {
		w.t.Errorf("a group of %d has ended well after %d", n, ended.Load())
	}
	if err == nil {
		i := uint64(0)
		for v, err := range x.Results() {
			if err != nil || v != i {
				w.t.Errorf("result %d of a group: %d, %v", i, v, err)
			}
			i++
		}
	}
	w.check("Group.Wait", err, endOfWaits...)
}

// disband books the members that were queued, and not called: their groups had ended,
// or their queues. Of what failed a group may have taken off the next execution.
func (w *world) disband() {
	for _, g := range w.gangs {
		if g.m.kind.fails {
			g.m.left.Add(g.accepted.Load())
		} else {
			g.m.left.Add(g.accepted.Load() - g.firsts.Load())
		}
	}
}
