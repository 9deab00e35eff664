package actors

import (
	"context"
	"reflect"
	"sync/atomic"

	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq/internal/policy"
)

// queueRare is what most queues never need. There may be many thousands of them, so
// it is made when it is first written.
type queueRare struct {
	division atomic.Pointer[policy.Division] // A: what its shares lend each other; nil if each has its own, or there is one
	bucket   atomic.Pointer[rate.Limiter]    // A: tokens to start items; nil if they need none; written by its actor

	paused atomic.Pointer[frost] // A: nil if it is not; written by its actor

	max atomic.Int64 // A: max_active, if it was changed; written by its actor

	moving  moving
	dropped atomic.Int64  // A: accepted items that will not run
	warned  atomic.Uint32 // A: warnings that are given once: flushWarned, nodeWarned

	waitedOut atomic.Int64 // A: items that failed because they waited for too long
	ranOut    atomic.Int64 // A: and because they ran for too long
	lapsed    atomic.Int64 // A: items that failed before their turn
	cancelled atomic.Int64 // A: items taken back before they began
	delayed   atomic.Int64 // A: armed items; written by the delayer

	failure atomic.Pointer[lastFailure] // A: one of late; nil if nothing has failed; written by its actor

	late clerk // A: reports what fails after its end
}

// unused is that of queues that have none. Nobody writes to it.
var unused = &queueRare{}

// has is for who reads.
func (q *Queue) has() *queueRare {
	if r := q.rare.Load(); r != nil {
		return r
	}
	return unused
}

// gets is for who writes.
func (q *Queue) gets() *queueRare {
	if r := q.rare.Load(); r != nil {
		return r
	}
	r := &queueRare{}
	r.late.disp = q.sys.disp
	q.rare.CompareAndSwap(nil, r)
	return q.rare.Load()
}

// maxActive is max_active in force, of each pool of a per-CPU queue.
func (q *Queue) maxActive() int {
	if n := q.has().max.Load(); n > 0 {
		return int(n)
	}
	n, _ := policy.ClampMaxActive(q.opts.MaxActive)
	return n
}

// life is the parent of the contexts of a queue's items, made for the first of them.
type life struct {
	context.Context
	cancel context.CancelCauseFunc
}

// context ends when the queue does.
func (q *Queue) context() *life {
	if l := q.life.Load(); l != nil {
		return l
	}
	ctx, cancel := context.WithCancelCause(q.sys.ctx)
	if l := (&life{ctx, cancel}); q.life.CompareAndSwap(nil, l) {
		return l
	}
	cancel(nil) // another was first
	return q.life.Load()
}

// wishes keeps the options of queues that were made lately: those that are made with
// the same ones, as children mostly are, share them.
type wishes struct{ known []*QueueOptions }

// most is how many different ones are kept.
const mostWishes = 8

// shared gives options that do not change any more. Strategies may have a state that
// does not show: they are not part of it.
func (w *wishes) shared(o QueueOptions) *QueueOptions {
	o.Strategy = nil
	for _, known := range w.known {
		if reflect.DeepEqual(*known, o) {
			return known
		}
	}
	if len(w.known) == mostWishes {
		w.known = append(w.known[:0], w.known[1:]...)
	}
	w.known = append(w.known, &o)
	return &o
}
