package actors

import (
	"context"
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// Flush waits until everything that was queued before the call is finished.
func (q *Queue) Flush(ctx context.Context) error {
	done := make(chan error, 1)
	return q.ask(ctx, &messages.Flush{Done: done}, done)
}

// Drain refuses work from outside until nothing is left.
func (q *Queue) Drain(ctx context.Context) error {
	done := make(chan error, 1)
	return q.ask(ctx, &messages.Drain{Done: done}, done)
}

// Destroy drains the queue and ends it. When ctx ends first the queue still
// refuses work, and ends when what is left has.
func (q *Queue) Destroy(ctx context.Context) error {
	if q.flags.Load()&destroyed != 0 {
		return messages.ErrDestroyed
	}
	done := make(chan error, 1)
	return q.ask(ctx, &messages.Destroy{Done: done}, done)
}

// SetMaxActive changes the limit.
func (q *Queue) SetMaxActive(n int) error {
	done := make(chan error, 1)
	return q.ask(context.Background(), &messages.SetMaxActive{N: n, Done: done}, done)
}

// Stats sums the numbers of the queue's shares, each taken at its pool's next
// turn.
func (q *Queue) Stats(ctx context.Context) (sum messages.ShareStats, err error) {
	t := q.table.Load()
	sum = t.past
	shares := slices.Concat(t.shares, t.old)
	reply := make(chan messages.ShareStats, len(shares))
	for _, s := range shares {
		if !q.post(s, &messages.Inspect{Share: s, Reply: reply}) {
			if s.pool.ended { // the queue was destroyed: nobody changes them any more
				reply <- counters(s.pool.stats(s))
				continue
			}
			if q.table.Load() != t {
				return q.Stats(ctx) // the share went, and its pool with it
			}
			return sum, messages.ErrStopped
		}
	}
	for range shares {
		select {
		case st := <-reply:
			add(&sum, st)
		case <-q.sys.gone:
			return sum, messages.ErrStopped
		case <-ctx.Done():
			return sum, context.Cause(ctx)
		}
	}
	sum.Dropped = q.dropped.Load()
	return sum, nil
}

func add(sum *messages.ShareStats, st messages.ShareStats) {
	sum.Started += st.Started
	sum.Completed += st.Completed
	sum.Failed += st.Failed
	sum.Active += st.Active
	sum.Inactive += st.Inactive
	sum.MaxActive += st.MaxActive
	sum.CPUTime += st.CPUTime
	sum.CPUIntensive += st.CPUIntensive
	sum.CMWakeup += st.CMWakeup
	sum.Repatriated += st.Repatriated
	sum.Mayday += st.Mayday
	sum.Rescued += st.Rescued
	sum.Workers += st.Workers
	sum.Idle += st.Idle
	sum.Running += st.Running
	sum.Waiting += st.Waiting
}
