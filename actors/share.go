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
	queue *Queue // I:
	pool  *pool  // I:
	id    int    // I: among the queue's shares, present and retired
	cpu   int    // I: a logical CPU that it was made for
	room  *room  // I: of a fixed worker; nil for others

	rare *shareRare // P: see has; what producers read is above, on a line that the pool seldom writes

	pol      policy.Share // P:
	inactive list         // P: beyond max_active
	arrived  int64        // P: items ever
	pacer    *pacer       // P: nil: items start at once
	blocks   atomic.Int64 // A: smoothed time of a ctx.Block, ns; 0 unknown
	full     atomic.Bool  // A: it has inactive items; written by the pool
	moved    uint32       // P: 1 + the newest epoch of items that were passed on, 0 if told
	born     int32        // I: its queue's generation
	borrows  bool         // P: the queue has other shares: slots are borrowed of them
	attached bool         // P: in the pool's list of shares
	ended    bool         // P: its queue has: nobody lends it slots
	gone     bool         // P: retired and released: its queue has forgotten it
	failed   atomic.Int32 // A: items in leases of several shares that failed, and were not counted
}

// shareRare is what most shares never need, made when it is first written.
type shareRare struct {
	keys    keys   // P: items that wait for one of their key
	frost   *frost // P: to be told when nothing is active any more
	pause   *frost // P: the same, of a pause
	dead    error  // P: why nothing of it runs any more: its queue was abandoned; nil for most
	stamped int64  // P: when the last item came; of a queue that drops the oldest

	told map[*messages.Item]bool // P: of a paced share: items that are active, as observers were told

	times *times // P: nil until something was measured

	called   bool           // P: a mayday is out
	scanning bool           // P: a rescuer looks for its items
	cursor   *messages.Item // P: it has looked up to here; nil: the worklist's head
	scanned  int64          // P: items looked at, ever
}

// plainShare is that of shares that have none. Nobody writes to it.
var plainShare = &shareRare{}

// has is for who reads.
func (s *share) has() *shareRare {
	if s.rare != nil {
		return s.rare
	}
	return plainShare
}

// gets is for who writes.
func (s *share) gets() *shareRare {
	if s.rare == nil {
		s.rare = &shareRare{}
	}
	return s.rare
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

// riding counts the items of a share's leases that have not begun, and hold no slot: they
// have to wait for one of their lease to end.
func riding(s *share, leased []*worker) (n int) {
	for _, w := range leased {
		if w.share == s {
			taken, end := w.lease.Progress()
			n += max(0, end-max(taken, w.lease.Active))
		}
	}
	return n
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
		taken = max(0, taken-int(w.lease.Front))
		begun += int64(taken)
		if taken > 0 && !over {
			taken--
		}
		ended += int64(taken)
	}
	return begun, ended
}
