package torture

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq"
)

type requestID struct{}

var errLeft = errors.New("the submitter has left")

// views are operations of submitters with a context of their own.
var views = []op{{"With", 20, func(w *world, r *rand.Rand) {
	id := r.Uint64()
	ctx, leave := context.WithCancelCause(context.WithValue(bg, requestID{}, id))
	var opts []cmwq.ViewOption
	if r.IntN(3) == 0 {
		opts = append(opts, cmwq.WaitAtMost(micros(r, 3000)))
	}
	if r.IntN(3) == 0 {
		opts = append(opts, cmwq.RunAtMost(micros(r, 2000)))
	}
	if r.IntN(3) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, micros(r, 3000))
		time.AfterFunc(time.Second, cancel) // it has passed by then
		if w.blurs {
			opts = append(opts, cmwq.FollowDeadline())
		}
	}
	follows := w.blurs && r.IntN(2) == 0
	if follows {
		opts = append(opts, cmwq.FollowCancel())
	}
	q := w.place(r).now.Load()
	w.through(q, q.With(ctx, opts...), id, follows || w.blurs, r)
	if r.IntN(2) == 0 {
		leave(errLeft)
	} else {
		time.AfterFunc(micros(r, 3000), func() { leave(errLeft) })
	}
}}}

// seen is what the key and the queue of a submitter have in common.
type seen interface {
	cmwq.ContextQueuer
	cmwq.Queuer
	Go(func(*cmwq.Context) error) error
	GoContext(context.Context, func(*cmwq.Context) error) error
	QueueAfter(time.Duration, *cmwq.Work) error
	Modify(time.Duration, *cmwq.Work) (bool, error)
}

func (w *world) through(q *cmwq.Queue, view *cmwq.View, id uint64, follows bool, r *rand.Rand) {
	v, m := seen(view), w.meter(q)
	if r.IntN(3) == 0 {
		v = view.Keyed(r.IntN(numKeys))
	}
	if follows {
		m.left.Add(1)
	}
	it := w.items[len(w.items)-1-r.IntN(numFree)]
	do := w.body(r)
	f := func(ctx *cmwq.Context) error {
		if got := ctx.Value(requestID{}); got != id {
			w.t.Errorf("the value of another: %v, not %d", got, id)
		}
		return do(ctx)
	}
	function := func(ctx *cmwq.Context) error {
		m.functions.call(ctx)
		return f(ctx)
	}
	wait, cancel := patience(r)
	defer cancel()
	switch r.IntN(7) {
	case 0:
		w.accept(&it.account, "View.Queue", v.Queue(it.Work))
	case 1:
		w.accept(&it.account, "View.QueueAfter", v.QueueAfter(it.delay(r), it.Work))
	case 2:
		was, err := v.Modify(it.delay(r), it.Work)
		it.cancel(was)
		w.accept(&it.account, "View.Modify", err)
	case 3:
		w.accept(&it.account, "View.QueueContext", v.QueueContext(wait, it.Work))
	case 4:
		w.accept(&m.functions, "View.Go", v.Go(function))
	case 5:
		w.accept(&m.functions, "View.GoContext", v.GoContext(wait, function))
	default:
		if w.blurs { // as itself: else its time is that of any item
			w.submitThrough(m, v, r.Uint64(), f, r)
		} else {
			w.treat(w.submit(q, v, r.Uint64(), f), r)
		}
	}
}

// submitThrough submits to a view as it is: whether it accepts cannot be asked.
func (w *world) submitThrough(m *meter, v seen, n uint64, do func(*cmwq.Context) error, r *rand.Rand) {
	f := &result{m: m, n: n}
	f.Future = cmwq.Submit(v, f.function(w, do))
	select {
	case <-f.Done():
		f.may = true
	default:
	}
	w.keep(f)
	w.treat(f, r)
}
