package torture

import (
	"math/rand/v2"

	"github.com/cmwq/cmwq"
)

// submit wants a result, and waits for it, gives it up, or forgets it.
func submit(w *world, r *rand.Rand) {
	n, seed := r.Uint64(), r.Uint64()
	f := w.submit(w.place(r).now.Load(), n, func(ctx *cmwq.Context) error {
		return w.execute(nil, ctx, rand.New(rand.NewPCG(w.seed, seed)))
	})
	switch r.IntN(3) {
	case 0:
		f.Cancel()
	case 1:
		ctx, cancel := hurry(r)
		defer cancel()
		if got, err := f.Wait(ctx); err == nil && got != n {
			w.t.Errorf("the result is another's: %d, not %d", got, n)
		}
	}
}

// answer is a queue that keeps what it said.
type answer struct {
	to  *cmwq.Queue
	err error
}

// Queue makes it a Queuer.
func (a *answer) Queue(w *cmwq.Work) error { a.err = a.to.Queue(w); return a.err }

// submit books a function that gives n.
func (w *world) submit(to *cmwq.Queue, n uint64, do func(*cmwq.Context) error) *cmwq.Future[uint64] {
	q := &answer{to: to}
	f := cmwq.Submit(q, func(ctx *cmwq.Context) (uint64, error) {
		w.futures.runs.Add(1)
		return n, do(ctx)
	})
	if q.err != nil {
		w.check("Submit", q.err, refusals...)
		return f
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.results = append(w.results, f)
	return f
}
