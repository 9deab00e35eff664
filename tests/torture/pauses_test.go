package torture

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// resumes counts those of a queue, before and after each.
type resumes struct{ begun, ended atomic.Int64 }

// pauses stop a queue, and look whether it stands still. Whoever pauses resumes.
var pauses = []op{
	{"Pause and Resume", 4, func(w *world, r *rand.Rand) {
		w.check("Pause", w.rest(bg, w.place(r).now.Load(), r), cmwq.ErrResumed)
	}},
	{"Pause, and something else meanwhile", 2, func(w *world, r *rand.Rand) {
		p := w.place(r)
		q := p.now.Load()
		ctx, cancel := context.WithTimeout(bg, 5*micros(r, 1000))
		defer cancel()
		w.check("Pause", q.Pause(ctx), cmwq.ErrResumed)
		defer w.resume(q)
		d, cancel := context.WithTimeout(bg, micros(r, 1000)) // what waits for Resume gives up
		defer cancel()
		switch r.IntN(8) {
		case 0:
			w.check("Drain", q.Drain(d))
		case 1:
			w.check("Flush", q.Flush(d))
		case 2:
			w.check("SetAttrs", q.SetAttrs(d, w.attrs(r)...), cmwq.ErrPerCPU, cmwq.ErrCreate)
		case 3:
			if k := &kinds[p.kind]; !k.limited() {
				w.check("Fix", q.Fix(r.IntN(4), 1+r.IntN(20)), cmwq.ErrOrdered, cmwq.ErrBH, cmwq.ErrCreate)
			}
		case 4:
			if top := kinds[p.kind].top; top > 0 {
				w.check("SetMaxActive", q.SetMaxActive(1+r.IntN(top)), cmwq.ErrOrdered, cmwq.ErrBH)
			}
		case 5:
			for range 5 {
				w.queueGo(q, r.Uint64())
			}
		case 6:
			w.check("Pause", q.Pause(d), cmwq.ErrResumed)
		default:
			_, err := w.sys.Snapshot(d)
			w.check("Snapshot", err)
		}
	}},
	{"Pause by message", 2, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		paused := make(chan struct{})
		go func() {
			defer close(paused)
			if x, ok := asked[*messages.Paused](w, q.PID(), &messages.Pause{}); ok {
				w.check("a Pause", x.Err, cmwq.ErrResumed)
			}
		}()
		time.Sleep(micros(r, 1000))
		for {
			m := w.meter(q)
			m.resumes.begun.Add(1)
			if x, ok := asked[*messages.Resumed](w, q.PID(), &messages.Resume{}); ok {
				w.check("a Resume", x.Err)
			}
			m.resumes.ended.Add(1)
			select {
			case <-paused: // no Pause is on its way
				w.resume(q)
				return
			case <-time.After(time.Millisecond):
			}
		}
	}},
}

// rest pauses a queue for a while: nothing of it executes, whatever is done to it. Only
// Stop resumes.
func (w *world) rest(ctx context.Context, q *cmwq.Queue, r *rand.Rand) error {
	m := w.meter(q)
	ended := m.resumes.ended.Load()
	alone := m.resumes.begun.Load() == ended // nobody resumes now
	// What is active may wait for what is paused.
	ctx, cancel := context.WithTimeout(ctx, 5*micros(r, 1000))
	defer cancel()
	err := q.Pause(ctx)
	defer w.resume(q)
	if err != nil || !alone {
		return err
	}
	calls, in := m.calls.Load(), m.in.Load()
	time.Sleep(micros(r, 1000))
	after, paused := m.calls.Load(), q.Paused()
	if m.resumes.begun.Load() == ended && !w.ending.Load() && (after != calls || in != 0 || !paused) {
		w.t.Errorf("queue %s is paused (%v), and executes: %d at once, %d meanwhile", m.name, paused, in, after-calls)
	}
	return nil
}

func (w *world) resume(q *cmwq.Queue) {
	m := w.meter(q)
	m.resumes.begun.Add(1)
	defer m.resumes.ended.Add(1)
	w.check("Resume", q.Resume())
}

// restings are executions that pause a queue. They give up soon: what is active may wait
// for them.
var restings = []sort{{"pause a queue", 1, sleeps, func(w *world, _ *item, ctx *cmwq.Context, r *rand.Rand) error {
	w.check("Pause in an item", w.rest(ctx, w.place(r).now.Load(), r), append([]error{cmwq.ErrResumed}, endOfWaits...)...)
	return nil
}}}

// leavePaused pauses some queues, for the end to find.
func (w *world) leavePaused() {
	for i, p := range w.places {
		if i%3 == int(w.seed%3) {
			ctx, cancel := context.WithTimeout(bg, 100*time.Microsecond)
			w.check("Pause", p.now.Load().Pause(ctx), cmwq.ErrStopped)
			cancel()
		}
	}
}
