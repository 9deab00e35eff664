package cmwq

import (
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// lapsing is a Queuer; lapses gives the queue of items that may have to be given up
// before their turn, else nil.
type lapsing interface{ lapses() *actors.Queue }

// carries is a lapsing Queuer by which something travels with an item.
type carries interface{ carry() *actors.Carry }

func (q *Queue) lapses() *actors.Queue {
	if q.q.Options().Limits.Wait == 0 {
		return nil
	}
	return q.q
}

func (k *Keyed) lapses() *actors.Queue {
	if k.k.Of().Options().Limits.Wait == 0 {
		return nil
	}
	return k.k.Of()
}

// early is what may resolve a Future before its turn comes.
type early struct {
	timer  *time.Timer // nil: no limit
	follow func() bool // nil: no submitter to follow
}

// stop is called when the turn has come, or the Future is resolved.
func (e *early) stop() {
	if e == nil {
		return
	}
	if e.timer != nil {
		e.timer.Stop()
	}
	if e.follow != nil {
		e.follow()
	}
}

// submitLapsing is submit for a function that may have to be given up before its turn:
// then the result is there at once.
func submitLapsing[T any](q *actors.Queue, c *actors.Carry, f func(*Context) (T, error), queue func(*Work) error) *Future[T] {
	fut := &Future[T]{f: f}
	l := q.Options().Limits
	if c != nil {
		l = l.And(c.Limits())
	}
	end := func(err error) {
		if q.Lapse(&fut.work.item, err) {
			fut.Dropped(err)
		}
	}
	var over atomic.Pointer[error]
	if e := newEarly(q, l, c, func(err error) {
		over.Store(&err)
		end(err)
	}, fut); e != nil {
		fut.rare.Store(&rare{early: e})
	}
	fut.submit(queue)
	if err := over.Load(); err != nil {
		end(*err) // its time may have been up before it was queued
	}
	return fut
}

// newEarly arms what ends the wait of an item; nil if nothing may.
func newEarly(q *actors.Queue, l policy.TimeLimits, c *actors.Carry, end func(error), of messages.Caller) *early {
	var e early
	now := q.System().Now()
	if d, limit, ok := l.Patience(now); ok {
		e.timer = time.AfterFunc(d, func() {
			end(&TimeoutError{
				Phase: PhaseWaiting, Queue: q.Name(), Limit: limit, Took: q.System().Now() - now, Code: of.Calls(),
			})
		})
	}
	if c != nil {
		e.follow = c.OnCancel(func(error) { end(c.Cancelled()) })
	}
	if e.timer == nil && e.follow == nil {
		return nil
	}
	return &e
}
