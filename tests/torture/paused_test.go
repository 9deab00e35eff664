package torture

import (
	"context"
	"math/rand/v2"

	"github.com/cmwq/cmwq"
)

// paused are the operations that stop a queue for a while. Whoever pauses resumes, so that
// nothing waits for ever.
var paused = []op{
	{"Pause and Resume", 3, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		ctx, cancel := context.WithTimeout(bg, micros(r, 3000))
		defer cancel()
		w.check("Pause", q.Pause(ctx), cmwq.ErrResumed)
		for range r.IntN(3) {
			w.pause()
		}
		w.check("Resume", q.Resume())
	}},
	{"Resume and Pause", 1, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		for range 3 { // who comes too late resumes once more
			ctx, cancel := context.WithTimeout(bg, micros(r, 100))
			w.check("Resume", q.Resume())
			w.check("Pause", q.Pause(ctx), cmwq.ErrResumed)
			cancel()
		}
		w.check("Resume", q.Resume())
	}},
	{"Snapshot and Diagnose", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		s, err := w.sys.Snapshot(ctx)
		w.check("Snapshot", err)
		if err == nil {
			for i := range s.Queues {
				q := &s.Queues[i]
				if q.Stats.InFlight < 0 || q.Stats.Active < 0 || q.Stats.Inactive < 0 || q.Stats.Delayed < 0 {
					w.t.Errorf("no such numbers of %s: %+v", q.Name, q.Stats)
				}
			}
		}
		_, err = w.sys.Diagnose(ctx)
		w.check("Diagnose", err)
	}},
}
