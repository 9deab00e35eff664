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
	index    int          // I: among the queue's shares
	lends    bool         // I: slots are lent and recalled; the queue has other shares
	attached bool         // P: in the pool's list of shares
	ended    bool         // P: its queue has ended: it is detached when it has nothing
	inactive list         // P: beyond max_active
	arrived  int64        // P: items ever
	blocks   atomic.Int64 // A: smoothed time of a ctx.Block, ns; 0 unknown

	called   bool           // P: a mayday is out
	scanning bool           // P: a rescuer looks for its items
	cursor   *messages.Item // P: it has looked up to here; nil: the worklist's head
	scanned  int64          // P: items looked at, ever
}

func newShare(q *Queue, p *pool, index, limit int, lends bool) *share {
	s := &share{queue: q, pool: p, index: index, lends: lends}
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
