package torture

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// account is what became of what was accepted.
type account struct{ accepted, runs, cancelled atomic.Int64 }

func (a *account) cancel(was bool) {
	if was {
		a.cancelled.Add(1)
	}
}

// missing is what was accepted and neither ran nor was cancelled.
func (a *account) missing() int64 { return a.accepted.Load() - a.runs.Load() - a.cancelled.Load() }

// refusals are why something is not accepted.
var refusals = []error{cmwq.ErrPending, cmwq.ErrDisabled, cmwq.ErrDraining, cmwq.ErrDestroyed}

// accept books the answer to something that was queued.
func (w *world) accept(a *account, op string, err error) {
	if err == nil {
		a.accepted.Add(1)
		return
	}
	w.check(op, err, refusals...)
}

// check complains of an error that an operation should not give.
func (w *world) check(op string, err error, fine ...error) {
	if err == nil || w.ending.Load() && errors.Is(err, cmwq.ErrStopped) {
		return
	}
	for _, ok := range append(slices.Clone(fine), context.DeadlineExceeded, cmwq.ErrDestroyed) {
		if errors.Is(err, ok) {
			return
		}
	}
	w.t.Errorf("%s: %v", op, err)
}

// onFailure books a failure. One that nobody made is a panic of the engine, whose
// turn ran inside an item.
func (w *world) onFailure(queue string, err error) {
	w.reported.Add(1)
	if errors.Is(err, errTorture) || errors.Is(err, cmwq.ErrGoexit) {
		return
	}
	w.t.Errorf("queue %s: %v", queue, err)
	if p, ok := errors.AsType[*cmwq.PanicError](err); ok {
		w.t.Logf("%s", p.Stack)
	}
}

// endings are how a round may end.
var endings = []struct {
	name string
	do   func(w *world)
}{
	{"destroy", func(w *world) {
		for _, p := range w.places {
			w.check("Destroy", p.now.Load().Destroy(bg))
		}
		w.check("Stop", w.sys.Stop(bg))
	}},
	{"stop", func(w *world) {
		w.ending.Store(true)
		w.check("Stop", w.sys.Stop(bg))
	}},
	{"forced stop", func(w *world) {
		w.ending.Store(true)
		for i, p := range w.places {
			for range 300 {
				w.queueGo(p.now.Load(), uint64(i))
			}
		}
		ctx, cancel := context.WithTimeout(bg, 2*time.Millisecond)
		defer cancel()
		w.check("Stop", w.sys.Stop(ctx))
	}},
}

// audit is the law: what was accepted was executed, or cancelled, or reported as
// dropped; and nothing is left.
func (w *world) audit(ending string) {
	w.settle()
	missing, functions := w.futures.missing(), int64(0)
	assert.Zero(w.t, w.futures.missing(), "results say themselves what became of them")
	for _, it := range w.items {
		assert.GreaterOrEqual(w.t, it.missing(), int64(0), "item %d", it.id)
		assert.Equal(w.t, cmwq.Busy{}, it.Busy(), "item %d", it.id)
		missing += it.missing()
	}
	var dropped int64
	for _, q := range w.queues {
		st, err := q.Stats(bg)
		if err != nil { // else the queue ended before, and its pools with it
			require.ErrorIs(w.t, err, cmwq.ErrStopped)
		}
		dropped += st.Dropped
		n := w.meter(q).functions.missing()
		assert.True(w.t, 0 <= n && n <= st.Dropped, "queue %s lost %d functions; it dropped %d items", q.Name(), n, st.Dropped)
		functions += n
	}
	missing += functions
	assert.Equal(w.t, dropped, missing+w.dropped, "accepted = executed + cancelled + dropped")
	if ending != "forced stop" {
		assert.Zero(w.t, functions+w.dropped, "only what is armed may be dropped")
		assert.Equal(w.t, w.failures.Load(), w.reported.Load(), "failures")
	}
	assert.LessOrEqual(w.t, w.reported.Load(), w.failures.Load(), "failures")
	w.t.Logf("%s: %d queues, %d executions, %d failed, %d dropped", ending, len(w.queues), w.runs.Load(), w.failures.Load(), dropped)
}

// settle books what became of accepted functions with a result: each has one by now.
func (w *world) settle() {
	for _, f := range w.results {
		ctx, cancel := context.WithTimeout(bg, time.Second)
		_, err := f.Wait(ctx)
		cancel()
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			w.t.Error("a result that never comes")
		case errors.Is(err, cmwq.ErrStopped):
			w.dropped++
			continue
		case errors.Is(err, cmwq.ErrCancelled):
			w.futures.cancelled.Add(1)
		}
		w.futures.accepted.Add(1)
	}
}
