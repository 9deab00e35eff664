package actors

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// fixed are the workers that a queue has to itself, each in a pool of its own.
// It is replaced as a whole, with the queue's table.
type fixed struct {
	shares []*share      // I:
	depth  int64         // I: items that may wait for each
	turn   atomic.Uint64 // A: producers take the workers in turn
}

// room counts the items that wait for a fixed worker, from their push to their
// lease; nil in other shares.
type room struct{ n atomic.Int64 }

// add counts n items in, or out.
func (r *room) add(n int) {
	if r != nil && n != 0 {
		r.n.Add(int64(n))
	}
}

// next gives the worker whose turn it is, with room reserved for one item; nil if
// it has none: the item goes to the shared pools.
func (f *fixed) next() *share {
	s := f.shares[f.turn.Add(1)%uint64(len(f.shares))]
	if s.room.n.Load() >= f.depth || s.room.n.Add(1) > f.depth && s.refuse() {
		return nil
	}
	return s
}

func (s *share) refuse() bool { s.room.add(-1); return true }

// choose gives the share for an item whose caller named no CPU: a fixed worker's with
// room reserved, or, beyond their depth, one of the shared pools.
func (t *table) choose() *share {
	if t.fixed != nil {
		if s := t.fixed.next(); s != nil {
			return s
		}
	}
	return t.pick()
}

// private gives the queue's fixed shares in this table.
func (t *table) private() []*share {
	if t.fixed == nil {
		return nil
	}
	return t.fixed.shares
}

// Fix gives the queue n fixed workers, for each of which depth items may wait;
// 0 takes them away.
func (q *Queue) Fix(n, depth int) error {
	if err := q.mayFix(n, depth); err != nil {
		return err
	}
	done := make(chan error, 1)
	if n > 0 { // perhaps the depth alone changes
		err := q.ask(context.Background(), &fix{n: n, depth: depth, done: done}, done)
		if !errors.Is(err, errMorePools) {
			return err
		}
	}
	pools, err := q.sys.fixedPools(n, q.opts.HighPri)
	if err != nil {
		return err
	}
	if err = q.ask(context.Background(), &fix{n: n, depth: depth, pools: pools, done: done}, done); err != nil {
		q.sys.freePools(pools)
	}
	return err
}

func (q *Queue) mayFix(n, depth int) error {
	switch {
	case q.opts.Kind == Ordered:
		return messages.ErrOrdered
	case q.opts.Kind == BH:
		return messages.ErrBH
	case n < 0 || n > policy.FixedMax || n > 0 && (depth < 1 || depth > policy.FixedDepth):
		return messages.ErrFixed
	}
	if fl := q.flags.Load(); fl&(destroyed|systemStopped) != 0 {
		return why(fl)
	}
	return q.everybodys("fixed workers")
}
