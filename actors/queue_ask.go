package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmwq/cmwq/messages"
)

// Flush waits until everything that was queued before the call is finished.
func (q *Queue) Flush(ctx context.Context) error {
	q.warnFlush()
	warnDependency(ctx, q)
	done := make(chan error, 1)
	m := &messages.Flush{Done: done}
	if x := inside(ctx); x != nil {
		return q.flushInside(ctx, x, m, done)
	}
	return q.ask(ctx, m, done)
}

// Drain refuses work from outside until nothing is left.
func (q *Queue) Drain(ctx context.Context) error {
	if q.opts.System {
		return messages.ErrSystemQueue
	}
	warnDependency(ctx, q)
	done := make(chan error, 1)
	_, err := q.end(ctx, "drain", draining, &messages.Drain{Done: done}, done)
	return err
}

// Destroy drains the queue and ends it. When ctx ends first the queue still
// refuses work, and ends when what is left has. Who was not the first waits as that
// does, and is told so whatever else the error says, unless the system stops.
func (q *Queue) Destroy(ctx context.Context) error {
	if q.opts.System {
		return messages.ErrSystemQueue
	}
	warnDependency(ctx, q)
	done := make(chan error, 1)
	before, err := q.end(ctx, "destroy", draining|destroyed, &messages.Destroy{Done: done}, done)
	second := before&destroyed != 0
	if second && q.flags.Load()&finished != 0 && !errors.Is(err, messages.ErrAbandoned) {
		return messages.ErrDestroyed
	}
	if err == nil || ctx.Err() == nil || !errors.Is(err, context.Cause(ctx)) {
		return err
	}
	if err = q.leftBehind(err); second {
		return fmt.Errorf("%w by another, which goes on: %w", messages.ErrDestroyed, err)
	}
	return err
}

// leftBehind says what a Destroy did not wait for. (kernel: the checks at the end
// of destroy_workqueue, which find a queue that is not empty)
func (q *Queue) leftBehind(cause error) error {
	st, err := q.Stats(context.Background()) // a turn of each pool
	if err != nil {
		return cause
	}
	running := int(st.Started - st.Completed)
	e := &messages.StopError{Running: running, Waiting: max(0, st.Active+st.Inactive-running), Cause: cause}
	q.sys.log.Warn("destroy did not wait for all work; the queue takes no more, and ends with it",
		"queue", q.name, "running", e.Running, "waiting", e.Waiting, "err", cause)
	return e
}

// SetMaxActive changes the limit.
func (q *Queue) SetMaxActive(n int) error {
	if err := q.everybodys("max_active"); err != nil {
		return err
	}
	done := make(chan error, 1)
	return q.ask(context.Background(), &messages.SetMaxActive{N: n, Done: done}, done)
}

// Stats sums the numbers of the queue's shares, each taken at its pool's next
// turn, but for MaxActive, which is in force whoever holds the slots just now.
// Dropped is there whatever the error is: who stops a system may ask
// afterwards.
func (q *Queue) Stats(ctx context.Context) (messages.ShareStats, error) {
	own := q.ownStats() // before the pools are asked: what has failed has begun
	sum, err := q.sumShares(ctx)
	add(&sum, own)
	sum.Dropped = q.has().dropped.Load()
	return sum, err
}

// sumShares asks the pools, and begins anew if a share goes meanwhile.
func (q *Queue) sumShares(ctx context.Context) (sum messages.ShareStats, err error) {
	t := q.table.Load()
	if t.past != nil {
		sum = t.past.ShareStats
	}
	shares := t.all()
	reply := make(chan messages.ShareStats, len(shares))
	for _, s := range shares {
		if !q.post(s, &messages.Inspect{Share: s, Reply: reply}) {
			if s.pool.ended { // the queue was destroyed: nobody changes them any more
				reply <- counters(s.pool.stats(s))
				continue
			}
			if q.table.Load() != t {
				return q.sumShares(ctx) // the share went, and its pool with it
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
	if l := q.has().division.Load(); l != nil {
		sum.MaxActive = l.All() + len(t.private())
	}
	return sum, nil
}

// ownStats are the numbers of a queue that its pools do not have.
func (q *Queue) ownStats() messages.ShareStats {
	r := q.has()
	lapsed := r.lapsed.Load()
	own := messages.ShareStats{
		WaitedOut: r.waitedOut.Load(), RanOut: r.ranOut.Load(), Failed: lapsed, Lapsed: lapsed,
		Cancelled: r.cancelled.Load(), Delayed: int(r.delayed.Load()),
	}
	q.sup.stats(&own)
	return own
}

func add(sum *messages.ShareStats, st messages.ShareStats) {
	sum.Arrived += st.Arrived
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
	sum.Retried += st.Retried
	sum.DeadLettered += st.DeadLettered
	sum.DeadLost += st.DeadLost
	sum.Dropped += st.Dropped
	sum.Lapsed += st.Lapsed
	sum.WaitedOut += st.WaitedOut
	sum.RanOut += st.RanOut
	sum.Cancelled += st.Cancelled
	sum.Delayed += st.Delayed
}
