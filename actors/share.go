package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// share is one queue's part of one pool (kernel: pool_workqueue). Items point to
// it, so that one that arrives after its queue is gone still runs.
type share struct {
	messages.Home
	queue *Queue   // I:
	pool  *pool    // I:
	id    int      // I: among the queue's shares, present and retired
	cpu   int      // I: a logical CPU that it was made for
	_     [16]byte // what producers read is on a line that the pool does not write

	pol      policy.Share // P:
	born     int          // I: its queue's generation
	borrows  bool         // P: the queue has other shares: slots are borrowed of them
	attached bool         // P: in the pool's list of shares
	ended    bool         // P: its queue has: nobody lends it slots
	gone     bool         // P: retired and released: its queue has forgotten it
	dead     error        // P: why nothing of it runs any more: its queue was abandoned; nil for most
	frost    *frost       // P: to be told when nothing is active any more
	inactive list         // P: beyond max_active
	keys     keys         // P: items that wait for one of their key
	arrived  int64        // P: items ever
	stamped  int64        // P: when the last of them came; of a queue that drops the oldest
	full     atomic.Bool  // A: it has inactive items; written by the pool
	moved    uint32       // P: 1 + the newest epoch of items that were passed on, 0 if told
	room     *room        // I: of a fixed worker; nil for others
	pacer    pacer        // P:
	blocks   atomic.Int64 // A: smoothed time of a ctx.Block, ns; 0 unknown

	called   bool           // P: a mayday is out
	scanning bool           // P: a rescuer looks for its items
	cursor   *messages.Item // P: it has looked up to here; nil: the worklist's head
	scanned  int64          // P: items looked at, ever
}

func newShare(q *Queue, p *pool, limit int) *share {
	s := &share{queue: q, pool: p}
	s.pol = *policy.NewShare(limit, q.opts.CPUIntensive)
	s.Owner = s
	if b := q.has().bucket.Load(); b != nil {
		s.pace(b)
	}
	return s
}

// home gives the share that a listed item is for.
func home(it *messages.Item) *share {
	if s, ok := it.Home.Owner.(*share); ok {
		return s
	}
	return it.Home.Owner.(*keyChain).share
}

// pushedFor gives the share that an item was pushed to, which its pool has not read.
func pushedFor(it *messages.Item) *share {
	if l, ok := it.Home.Owner.(*lane); ok {
		return l.share
	}
	return home(it)
}

// queueOf gives the queue that an accepted item is for, wherever it is.
func queueOf(it *messages.Item) *Queue {
	switch o := it.Home.Owner.(type) {
	case *share:
		return o.queue
	case *keyChain:
		return o.share.queue
	case *lane:
		return o.share.queue
	case *Keyed:
		return o.queue
	case *dependent:
		return o.queue
	case *Queue:
		return o
	}
	return nil
}

// stats are the numbers of a share and its pool.
func (p *pool) stats(s *share) messages.ShareStats {
	n := s.numbers(p.leased)
	st := messages.ShareStats{MaxActive: s.maxActive()}
	n.addTo(&st)
	st.Workers, st.Idle, st.Running, st.Waiting = p.pol.Workers(), p.pol.Idle(), p.pol.Running(), p.pol.Waiting()
	return st
}

// inLeases counts the items of a share's leases that have begun, and those of them
// that have ended; policy counts a lease when it is over.
func inLeases(s *share, leased []*worker) (begun, ended int64) {
	for _, w := range leased {
		if w.share != s {
			continue
		}
		over := w.phase.Load() == phaseDone
		taken, _ := w.lease.Progress()
		begun += int64(taken)
		if taken > 0 && !over {
			taken--
		}
		ended += int64(taken)
	}
	return begun, ended
}
