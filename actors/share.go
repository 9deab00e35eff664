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
	pol      policy.Share // P:
	queue    *Queue       // I:
	pool     *pool        // I:
	id       int          // I: among the queue's shares, present and retired
	cpu      int          // I: a logical CPU that it was made for
	borrows  bool         // P: the queue has other shares: slots are borrowed of them
	attached bool         // P: in the pool's list of shares
	inactive list         // P: beyond max_active
	arrived  int64        // P: items ever
	gone     bool         // P: retired and released: its queue has forgotten it
	moved    uint32       // P: 1 + the newest epoch of items that were passed on, 0 if told
	blocks   atomic.Int64 // A: smoothed time of a ctx.Block, ns; 0 unknown
}

func newShare(q *Queue, p *pool, limit int) *share {
	s := &share{queue: q, pool: p}
	s.pol = *policy.NewShare(limit, q.opts.CPUIntensive)
	s.Owner = s
	return s
}

// home gives the share that a queued item is for.
func home(it *messages.Item) *share { return it.Home.Owner.(*share) }

// stats are the numbers of a share and its pool.
func (p *pool) stats(s *share) messages.ShareStats {
	st := s.pol.Stats
	return messages.ShareStats{
		Started:   st.Completed + int64(s.pol.Executing()),
		Completed: st.Completed, Failed: st.Failed,
		Active: s.pol.Active(), Inactive: s.pol.Inactive(), MaxActive: s.pol.Limit(),
		CPUTime: st.CPUTime, CPUIntensive: st.CPUIntensive, CMWakeup: st.CMWakeup,
		Repatriated: st.Repatriated, Mayday: st.Mayday, Rescued: st.Rescued,
		Workers: p.pol.Workers(), Idle: p.pol.Idle(), Running: p.pol.Running(), Waiting: p.pol.Waiting(),
	}
}
