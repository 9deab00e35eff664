package actors

import (
	"reflect"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// timed stands in for the functions of a queue with limits, or observers: a worker has one,
// and does not make a closure for each item.
type timed struct {
	w    *worker       // I:
	call messages.Func // I: run
	f    messages.Func // W: the item's function
	came time.Duration // W: when it came to the queue
	seen               // W: what observers are told
}

// attend sees to an item that is measured, limited in time or observed, and gives what is to
// be called in place of f. The item is still pending.
func (w *worker) attend(it *messages.Item, f messages.Func) messages.Func {
	if len(w.train.shares) > 0 {
		w.attendTrain()
		return f
	}
	if w.metered && (w.report.Ran >= w.look || it.When != policy.SkipTime) {
		w.measure(it)
	}
	if w.limitsTime {
		return w.timedCall(it, f)
	}
	return f
}

// timedCall gives what is to be called in place of f. The item is still pending.
func (w *worker) timedCall(it *messages.Item, f messages.Func) messages.Func {
	t := w.timed
	if t == nil {
		t = &timed{w: w}
		t.call = t.run
		w.timed = t
	}
	t.f, t.came = f, time.Duration(it.When)
	return t.call
}

func (t *timed) run(ctx *messages.Context) error {
	if !t.w.home.queue.watched {
		return t.limited(ctx)
	}
	t.w.starts(t)
	err := t.limited(ctx)
	t.w.ends(err)
	return err
}

// limited calls the function within the limits of its queue.
func (t *timed) limited(ctx *messages.Context) error {
	l := t.w.home.queue.opts.Limits
	if err := t.w.turn(l, t.f, t.came); err != nil {
		return err
	}
	if l.Run == 0 || reflect.ValueOf(t.f).Pointer() == carryCode { // that one minds the queue's limits, too
		return t.f(ctx)
	}
	return t.w.callWith(ctx, t.f, l, nil)
}

// turn is the end of an item that waited too long: it has its turn, and is not called.
func (w *worker) turn(l policy.TimeLimits, f messages.Func, came time.Duration) error {
	if l.Wait == 0 && l.Until == 0 {
		return nil
	}
	if t := w.tries; t != nil && t.Count > 0 {
		came = t.Came // it has not waited since it failed
	}
	waited, limit, late := l.Turn(came, w.pool.sys.now())
	if !late {
		return nil
	}
	q := w.home.queue
	q.gets().waitedOut.Add(1)
	err := &messages.TimeoutError{
		Phase: messages.PhaseWaiting, Queue: q.name, Limit: limit, Took: waited, Code: codeOf(w.cur, f),
	}
	w.notCalled(f, err)
	return err
}

// notCalled tells whoever must know that the present item had its turn, and was not
// called. A strategy tells it later, if that is the end.
func (w *worker) notCalled(f messages.Func, err error) {
	if d, ok := w.cur.Msg().(messages.Dropper); ok && !w.home.queue.tells(d) {
		d.Dropped(err)
	}
	if w.late = w.home.queue.sup != nil; !w.late {
		messages.WillNotRun(f, err)
	}
}
