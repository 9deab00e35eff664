package torture

import (
	"math/rand/v2"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// letters are operations that an actor asks for by message.
var letters = []op{
	{"by message", 20, func(w *world, r *rand.Rand) { w.byMessage(r) }},
	{"by messages that nobody waits for", 3, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		w.as.Root.Send(q.PID(), &messages.Flush{})
		w.as.Root.Send(q.PID(), &messages.Inspect{})
		w.as.Root.Send(q.PID(), &messages.FlushWork{Work: w.item(r).Work})
	}},
}

// asked is an answer, nil if the queue has ended.
func asked[T any](w *world, pid *actor.PID, msg any) (answer T, ok bool) {
	d := time.Minute
	if w.virtual {
		d = month
	}
	x, err := w.as.Root.RequestFuture(pid, msg, d).Result()
	if err == actor.ErrTimeout { //nolint:errorlint // protoactor's
		w.t.Errorf("no answer to %T", msg)
	}
	if err != nil {
		return answer, false
	}
	answer, ok = x.(T)
	if !ok {
		w.t.Errorf("%T answers %T", x, msg)
	}
	return answer, ok
}

func (w *world) byMessage(r *rand.Rand) {
	it := w.item(r)
	q := w.queue(it, r)
	pid := q.PID()
	var key any
	if r.IntN(3) == 0 {
		key = r.IntN(numKeys)
	}
	switch r.IntN(14) {
	case 0, 1:
		if x, ok := asked[*messages.Queued](w, pid, &messages.Queue{Work: it.Work, Key: key}); ok {
			w.accept(&it.account, "a Queue", x.Err)
		}
	case 2:
		if x, ok := asked[*messages.Queued](w, pid, &messages.QueueOn{Work: it.Work, CPU: r.IntN(w.cpus)}); ok {
			w.accept(&it.account, "a QueueOn", x.Err)
		}
	case 3:
		if x, ok := asked[*messages.Queued](w, pid, &messages.QueueAfter{Work: it.Work, Key: key, Delay: it.delay(r)}); ok {
			w.accept(&it.account, "a QueueAfter", x.Err)
		}
	case 4, 5:
		a, do := &w.meter(q).functions, w.body(r)
		x, ok := asked[*messages.Queued](w, pid, &messages.Go{Key: key, Func: func(ctx *cmwq.Context) error {
			a.call(ctx)
			return do(ctx)
		}})
		if ok {
			w.accept(a, "a Go", x.Err)
		}
	case 6:
		if x, ok := asked[*messages.Modified](w, pid, &messages.Modify{Work: it.Work, Key: key, Delay: it.delay(r)}); ok {
			it.cancel(x.WasPending)
			w.accept(&it.account, "a Modify", x.Err)
		}
	case 7:
		if x, ok := asked[*messages.Cancelled](w, pid, &messages.Cancel{Work: it.Work}); ok {
			it.cancel(x.WasPending)
		}
	case 8:
		if x, ok := asked[*messages.Cancelled](w, pid, &messages.CancelWait{Work: it.Work}); ok {
			it.cancel(x.WasPending)
			w.check("a CancelWait", x.Err)
		}
	case 9:
		if x, ok := asked[*messages.Disabled](w, pid, &messages.Disable{Work: it.Work}); ok {
			it.cancel(x.WasPending)
			w.check("a Disable", x.Err)
			if x.Err == nil { // else the queue had ended
				_, err := it.Enable()
				w.check("Enable", err)
			}
		}
	case 10:
		if x, ok := asked[*messages.Flushed](w, pid, &messages.FlushWork{Work: it.Work}); ok {
			w.check("a FlushWork", x.Err)
		}
	default:
		w.queueByMessage(w.place(r), r)
	}
}

// queueByMessage asks for something of a queue.
func (w *world) queueByMessage(p *place, r *rand.Rand) {
	pid := p.now.Load().PID()
	switch r.IntN(8) {
	case 0, 1, 2:
		if x, ok := asked[*messages.Flushed](w, pid, &messages.Flush{}); ok {
			w.check("a Flush", x.Err)
		}
	case 3:
		if x, ok := asked[*messages.Drained](w, pid, &messages.Drain{}); ok {
			w.check("a Drain", x.Err)
		}
	case 4, 5:
		if x, ok := asked[*messages.Inspected](w, pid, &messages.Inspect{}); ok {
			w.check("an Inspect", x.Err)
		}
	case 6:
		m, err := cmwq.AttrsMessage(w.attrs(r)...)
		w.check("AttrsMessage", err)
		if x, ok := asked[*messages.AttrsSet](w, pid, m); ok {
			w.check("a SetAttrs", x.Err, cmwq.ErrPerCPU, cmwq.ErrCreate)
		}
	default:
		if r.IntN(4) == 0 {
			if x, ok := asked[*messages.Destroyed](w, pid, &messages.Destroy{}); ok {
				w.check("a Destroy", x.Err)
			}
			w.remake(p)
		}
	}
}
