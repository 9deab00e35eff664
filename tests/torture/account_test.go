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

// account is what became of what was accepted. What fails may be called again.
type account struct{ accepted, calls, firsts, cancelled atomic.Int64 }

func (a *account) cancel(was bool) {
	if was {
		a.cancelled.Add(1)
	}
}

// call books an execution, and says which it is.
func (a *account) call(ctx *cmwq.Context) int64 {
	if ctx.Attempt() == 1 {
		a.firsts.Add(1)
	}
	return a.calls.Add(1)
}

// missing is what was accepted and neither executed nor cancelled, less what was
// executed again.
func (a *account) missing() int64 { return a.accepted.Load() - a.calls.Load() - a.cancelled.Load() }

// refusals are why something is not accepted.
var refusals = []error{
	cmwq.ErrPending, cmwq.ErrDisabled, cmwq.ErrDraining, cmwq.ErrDestroyed, cmwq.ErrFull, cmwq.ErrDependency, cmwq.ErrCycle,
	errLeft,
}

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

// failings are how items fail. Others are panics of the engine, whose turn ran inside
// an item.
var failings = []error{errTorture, cmwq.ErrGoexit, context.DeadlineExceeded, cmwq.ErrCancelled, errLeft}

// onFailure books a failure.
func (w *world) onFailure(queue string, err error) {
	w.reported.Add(1)
	if m, ok := w.meters.Load(queue); ok {
		m.(*meter).told.Add(1)
	}
	w.known(queue, err)
}

// known complains of failures that nobody made.
func (w *world) known(queue string, err error) {
	for _, fine := range failings {
		if errors.Is(err, fine) {
			return
		}
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
		for _, q := range w.queues {
			w.check("Destroy", q.Destroy(bg))
		}
		w.idle()
		w.disband()
		for _, q := range w.queues {
			w.balance(q)
		}
		w.check("Stop", w.sys.Stop(bg))
	}},
	{"parents first", func(w *world) {
		for _, p := range w.parents {
			p.stop()
			p.start()
		}
		w.ending.Store(true)
		w.check("Stop", w.sys.Stop(bg))
	}},
	{"stop", func(w *world) {
		w.ending.Store(true)
		w.leavePaused()
		w.check("Stop", w.sys.Stop(bg))
	}},
	{"forced stop", func(w *world) {
		w.ending.Store(true)
		for i, p := range w.places {
			for range 300 {
				w.queueGo(p.now.Load(), uint64(i))
			}
		}
		w.leavePaused()
		ctx, cancel := context.WithTimeout(bg, 2*time.Millisecond)
		defer cancel()
		w.check("Stop", w.sys.Stop(ctx))
	}},
}

// balance is the law of a queue that has ended, in a system that goes on: each
// execution was counted, and each failure.
func (w *world) balance(q *cmwq.Queue) {
	st, err := q.Stats(bg)
	for err == nil && st.InFlight > 0 { // its worker is about to say so
		w.pause()
		st, err = q.Stats(bg)
	}
	require.NoError(w.t, err)
	if w.grammar != nil {
		w.grammar.balance(q.Name(), st)
	}
	m := w.meter(q)
	left := m.left.Load()
	between(w, m.calls.Load(), st.Total, m.calls.Load()+st.WaitedOut+left, "executions of %s: %+v", q.Name(), st)
	between(w, m.bad.Load(), st.Failed+st.Retried, m.bad.Load()+st.WaitedOut+st.RanOut+st.Lapsed+left, "failures of %s: %+v", q.Name(), st)
	if !m.kind.fails {
		assert.Equal(w.t, st.Failed, m.told.Load(), "failures of %s that were reported", q.Name())
	}
}

func between(w *world, least, n, most int64, format string, args ...any) {
	if n < least || n > most {
		w.t.Errorf("%d is not within %d..%d: "+format, append([]any{n, least, most}, args...)...)
	}
}

// audit is the law: what was accepted was executed, or cancelled, or reported as
// dropped; and nothing is left.
func (w *world) audit(ending string) {
	maybe := w.settle()
	missing := w.futures.missing() + w.others.missing() + w.toldAll()
	for _, g := range w.gangs {
		missing += g.missing()
	}
	for _, it := range w.items {
		assert.GreaterOrEqual(w.t, it.accepted.Load()+w.requeued.Load(), it.firsts.Load(), "item %d", it.id)
		assert.Equal(w.t, cmwq.Busy{}, it.Busy(), "item %d", it.id)
		missing += it.missing()
	}
	var dropped, left, retried int64
	for _, q := range w.queues {
		st, err := q.Stats(bg)
		if err != nil { // else the queue ended before, and its pools with it
			require.ErrorIs(w.t, err, cmwq.ErrStopped)
		}
		m := w.meter(q)
		dropped += st.Dropped
		retried += st.Retried
		left += m.left.Load()
		missing += m.functions.missing() + st.Retried - st.WaitedOut
		n := m.functions.accepted.Load() - m.functions.firsts.Load()
		least := int64(0)
		if m.kind.fails {
			least = -w.requeued.Load()
		}
		between(w, least, n, st.Dropped+st.WaitedOut+m.left.Load(), "functions that queue %s lost: %+v", q.Name(), st)
		if ending != "forced stop" && !m.kind.loses && st.WaitedOut+m.left.Load() == 0 {
			assert.LessOrEqual(w.t, n, int64(0), "only what is armed may be dropped by %s", q.Name())
		}
	}
	if missing < dropped-maybe || missing > dropped+left {
		w.explain()
	}
	between(w, dropped-maybe, missing, dropped+left, "accepted = executed + cancelled + dropped")
	w.t.Logf("%s: %d queues, %d executions, %d failed, %d retried, %d dropped; unknown %d+%d", ending, len(w.queues), w.runs.Load(), w.failures.Load(), retried, dropped, maybe, left)
}
