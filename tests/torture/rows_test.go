package torture

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

// numKeys is how many keys each queue has.
const numKeys = 3

// line is what runs one at a time: the functions with one key of a queue.
type line struct{ in atomic.Int32 }

// row queues a few functions in a row: with one key, or on an ordered queue, they run
// in that order, and of a key one at a time, whatever happens to the queue meanwhile.
func row(w *world, r *rand.Rand) {
	p := w.place(r)
	if kinds[p.kind].fails {
		return // what is run again is behind the others
	}
	q := p.now.Load()
	m := w.meter(q)
	n := r.IntN(numKeys)
	put, key := q.Keyed(n).Go, &m.keys[n]
	if kinds[p.kind].ordered() && r.IntN(2) == 0 {
		put, key = q.Go, nil
	}
	var last atomic.Int64
	for i := range int64(2 + r.IntN(6)) {
		seed := r.Uint64()
		w.accept(&m.functions, "Go in a row", put(func(ctx *cmwq.Context) error {
			m.functions.call(ctx)
			if key != nil {
				if key.in.Add(1) != 1 {
					w.t.Errorf("two functions of a key of queue %s at once", m.name)
				}
				defer key.in.Add(-1)
			}
			if was := last.Swap(i + 1); was > i {
				w.t.Errorf("queue %s: function %d of a row ran after function %d", m.name, i, was-1)
			}
			return w.execute(nil, ctx, rand.New(rand.NewPCG(w.seed, seed)))
		}))
	}
}

// fix gives a queue the fixed workers of its kind, before anybody has it.
func (w *world) fix(q *cmwq.Queue, n int) {
	if n == 0 {
		return
	}
	err := q.Fix(n, 6)
	for errors.Is(err, cmwq.ErrCreate) {
		w.pause()
		err = q.Fix(n, 6)
	}
	w.check("Fix", err)
}
