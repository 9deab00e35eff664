package torture

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

// result is a function that was submitted, and what became of it.
type result struct {
	*cmwq.Future[uint64]
	m     *meter // of the queue
	n     uint64 // what it gives
	calls atomic.Int64
	piped int          // actors that are to be told
	told  atomic.Int64 // of it
	may   bool         // it is not known whether it was accepted
}

// submit wants a result, and waits for it, gives it up, or forgets it.
func submit(w *world, r *rand.Rand) {
	q := w.place(r).now.Load()
	w.treat(w.submit(q, q, r.Uint64(), w.body(r)), r)
}

// body is a function as the others.
func (w *world) body(r *rand.Rand) func(*cmwq.Context) error {
	seed := r.Uint64()
	return func(ctx *cmwq.Context) error { return w.execute(nil, ctx, rand.New(rand.NewPCG(w.seed, seed))) }
}

// treat is what is done with a result.
func (w *world) treat(f *result, r *rand.Rand) {
	if r.IntN(4) == 0 {
		w.pipe(f)
	}
	switch r.IntN(3) {
	case 0:
		w.futures.cancel(f.Cancel())
	case 1:
		ctx, cancel := hurry(r)
		defer cancel()
		if got, err := f.Wait(ctx); err == nil && got != f.n {
			w.t.Errorf("the result is another's: %d, not %d", got, f.n)
		}
	}
}

// answer is a queue that keeps what it said.
type answer struct {
	cmwq.Queuer
	err error
}

// Queue makes it a Queuer.
func (a *answer) Queue(w *cmwq.Work) error { a.err = a.Queuer.Queue(w); return a.err }

// submit books a function that gives n, and goes to a queue in some way.
func (w *world) submit(q *cmwq.Queue, to cmwq.Queuer, n uint64, do func(*cmwq.Context) error) *result {
	f := &result{m: w.meter(q), n: n}
	a := &answer{Queuer: to}
	f.Future = cmwq.Submit(a, f.function(w, do))
	if a.err != nil {
		w.check("Submit", a.err, refusals...)
		return f
	}
	w.keep(f)
	return f
}

func (f *result) function(w *world, do func(*cmwq.Context) error) func(*cmwq.Context) (uint64, error) {
	return func(ctx *cmwq.Context) (uint64, error) {
		f.calls.Add(1)
		w.futures.call(ctx)
		return f.n, do(ctx)
	}
}

func (w *world) keep(f *result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.results = append(w.results, f)
}

// settle books what became of functions with a result: each has one by now, and each
// actor was told of it once.
func (w *world) settle() (maybe int64) {
	for _, f := range w.results {
		select {
		case <-f.Done():
		default:
			w.t.Error("a result that never comes")
			continue
		}
		got, err := f.Wait(bg)
		switch {
		case err == nil && (f.calls.Load() == 0 || got != f.n):
			w.t.Errorf("a result of nobody: %d, not %d", got, f.n)
		case f.may && f.calls.Load() == 0:
			maybe++
			continue
		case f.calls.Load() == 0 && errors.Is(err, errTorture) && !errors.Is(err, cmwq.ErrCancelled) && !errors.Is(err, cmwq.ErrDependency):
			w.t.Errorf("failed, and was not called: %v", err)
		}
		w.futures.accepted.Add(1)
		if n := f.told.Load(); n != int64(f.piped) {
			w.t.Errorf("%d actors were to be told of a result, %d were", f.piped, n)
		}
	}
	return maybe
}
