package torture

import (
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq"
)

// chains are work behind other work.
var chains = []op{{"After", 15, func(w *world, r *rand.Rand) {
	q := w.place(r).now.Load()
	var deps []cmwq.Dependency
	var futs []*result
	for range 1 + r.IntN(3) {
		if f := w.someResult(r); f != nil && r.IntN(2) == 0 {
			futs, deps = append(futs, f), append(deps, f.Future)
		} else if it := w.item(r); it.brief() {
			deps = append(deps, it.Work)
		}
	}
	a := q.After(deps...)
	if r.IntN(3) == 0 {
		a = q.Keyed(r.IntN(numKeys)).After(deps...)
	}
	ok := r.IntN(2) == 0
	if ok {
		a = a.OnlyOK()
	}
	do := w.body(r)
	f := func(ctx *cmwq.Context) error {
		for _, f := range futs {
			select {
			case <-f.Done():
			default:
				w.t.Error("it runs, and what it was to wait for has not ended")
				continue
			}
			if _, err := f.Wait(bg); err != nil && ok {
				w.t.Errorf("it runs after what failed: %v", err)
			}
		}
		return do(ctx)
	}
	switch r.IntN(3) {
	case 0:
		it := w.items[len(w.items)-1-r.IntN(numFree)]
		w.accept(&it.account, "After.Queue", a.Queue(it.Work))
	case 1:
		w.accept(&w.others, "After.Go", a.Go(func(ctx *cmwq.Context) error {
			w.others.call(ctx)
			return f(ctx)
		}))
	default:
		w.treat(w.submit(q, a, r.Uint64(), f), r)
	}
}}}

// someResult gives one of the last results.
func (w *world) someResult(r *rand.Rand) *result {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.results) == 0 {
		return nil
	}
	return w.results[len(w.results)-1-r.IntN(min(10, len(w.results)))]
}

// month is longer than any wait.
const month = 30 * 24 * time.Hour
