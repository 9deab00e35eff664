package actors

import (
	"context"
	"math"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// overrunGrace is how long after its deadline an item may still run before the log
// says that it does not heed its context.
const overrunGrace = time.Second

// extras are what one execution has beside its function: a deadline, or what travels
// with it.
type extras struct {
	carry *Carry                 // W: nil: nothing
	from  time.Duration          // W:
	end   time.Duration          // W: its deadline; 0: none
	cause *messages.TimeoutError // W: of the deadline
	late  *messages.TimeoutError // W: its failure, once that is known
}

// callWith calls f with a deadline, with what travels with it, or both.
func (w *worker) callWith(ctx *messages.Context, f messages.Func, l policy.TimeLimits, c *Carry) error {
	b := &w.spare
	*b = extras{carry: c, from: w.pool.sys.now()}
	w.extras = b
	w.dirty.Store(true)
	end, limit, ok := l.End(b.from)
	if !ok {
		return f(ctx)
	}
	b.end = end
	b.cause = &messages.TimeoutError{
		Phase: messages.PhaseRunning, Queue: w.home.queue.name, Limit: limit, Took: end - b.from, Code: codeOf(w.cur, f),
	}
	w.execution() // its timer runs, whether f asks for its context or not
	return w.overdue(f(ctx))
}

// overdue is the failure of an item that took too long, whatever it returned; else what
// it returned.
func (w *worker) overdue(err error) error {
	b := w.extras
	if b == nil || b.end == 0 {
		return err
	}
	if b.late == nil {
		now := w.pool.sys.now()
		if now < b.end {
			b.end = 0 // it was in time, whoever asks again
			return err
		}
		e := *b.cause
		e.Took = now - b.from
		if err != error(b.cause) && err != context.DeadlineExceeded { //nolint:errorlint // those two themselves say nothing new
			e.Err = err
		}
		b.late = &e
		w.home.queue.gets().ranOut.Add(1)
	}
	return b.late
}

// Overdue is what an item fails with that returns err now: a TimeoutError if its time
// is up, else err.
func Overdue(ctx *messages.Context, err error) error {
	if w, ok := ctx.Host().(*worker); ok {
		return w.overdue(err)
	}
	return err
}

// extend gives the context of an execution its values and its deadline, and has it
// follow its submitter's.
func (x *itemContext) extend(b *extras) {
	if b.carry != nil && b.carry.values != nil {
		x.Context = valued{x.Context, b.carry.values}
	}
	if b.end != 0 {
		sys := x.worker.pool.sys
		in := max(0, b.end-sys.now())
		cause := b.cause // the worker may be at another item when a timer fires
		var stop context.CancelFunc
		x.Context, stop = context.WithDeadlineCause(x.Context, sys.base.Add(b.end), cause)
		x.stops = append(x.stops, func() bool { stop(); return true })
		if in < math.MaxInt64-overrunGrace {
			x.stops = append(x.stops, time.AfterFunc(in+overrunGrace, func() { x.overran(cause) }).Stop)
		}
	}
	if b.carry != nil && b.carry.cancel != nil {
		follow := func(why error) { x.cancel(why) }
		if err := b.carry.cancel.Err(); err != nil {
			follow(context.Cause(b.carry.cancel))
		} else {
			x.stops = append(x.stops, b.carry.OnCancel(follow))
		}
	}
}

// release stops what waits for something to happen to an execution that is over.
func (x *itemContext) release() {
	for _, stop := range x.stops {
		stop()
	}
}

// overran tells of an item that goes on after its deadline.
func (x *itemContext) overran(cause *messages.TimeoutError) {
	if w := x.worker; w.context.Load() == x {
		w.pool.sys.as.Root.Send(w.pool.sys.root, &overrun{cause: cause, worker: w.name})
	}
}
