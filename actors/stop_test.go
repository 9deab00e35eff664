package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

var quiet1 = QueueOptions{MaxActive: 1}

// untilTold is an item that hears its context and says nothing to the pool.
func untilTold() *job {
	return newJob(func(ctx *messages.Context) error { <-ctx.Done(); return context.Cause(ctx) })
}

// stopNow stops by force at once.
func stopNow(t *testing.T, sys *System) *messages.StopError {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stop *messages.StopError
	require.ErrorAs(t, sys.Stop(ctx), &stop)
	return stop
}

// requireDropped checks that each job was reported once, did not run and is idle.
func requireDropped(t *testing.T, jobs ...*job) {
	t.Helper()
	for i, j := range jobs {
		require.EqualValues(t, 1, j.dropped.Load(), "job %d", i)
		require.Zero(t, j.ran.Load(), "job %d", i)
		require.Zero(t, j.it.State()&(messages.Pending|messages.Running|messages.Delayed), "job %d", i)
	}
}

// Trap: what protoactor's mailboxes hold when an actor stops disappears without a
// word. Here every item is reported, wherever it waits.
func TestForcedStopReportsWhatWaits(t *testing.T) {
	jobs := func(n int) (s []*job) {
		for range n {
			s = append(s, newJob(nil))
		}
		return s
	}
	for name, o := range map[string]QueueOptions{
		"worklist": {}, "inactive": quiet1, "percpu": {Kind: PerCPU}, "ordered": {Kind: Ordered}, "intensive": {CPUIntensive: true, MaxActive: 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", o)
				r := untilTold().on(t, q)
				<-r.entered
				waiting := jobs(5)
				for _, j := range waiting {
					j.on(t, q)
				}
				stop := stopNow(t, sys)
				require.Equal(t, 5, stop.Dropped)
				require.Zero(t, stop.Running)
				requireDropped(t, waiting...)
				require.ErrorIs(t, *waiting[0].why.Load(), messages.ErrStopped)
			})
		})
	}
}

// The unstarted rest of a lease is with a worker, and is reported all the same.
func TestForcedStopReportsTheRestOfALease(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", quiet1)
		rest := []*job{newJob(nil), newJob(nil), newJob(nil), newJob(nil)}
		first := untilTold()
		leaseOfMany(t, q, first, rest...)
		require.Equal(t, 4, stopNow(t, sys).Dropped)
		requireDropped(t, rest...)
		require.Zero(t, first.dropped.Load())
	})
}

// An item that was queued again while it runs is parked with its worker.
func TestForcedStopReportsAParkedItem(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		r := untilTold().on(t, q)
		<-r.entered
		r.on(t, q)
		synctest.Wait()
		require.Equal(t, 1, stopNow(t, sys).Dropped)
		require.EqualValues(t, 1, r.ran.Load())
		require.EqualValues(t, 1, r.dropped.Load())
	})
}

func TestStopReportsArmedItems(t *testing.T) {
	for _, forced := range []bool{true, false} {
		bubble(t, 1, nil, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", QueueOptions{})
			armed := newJob(nil)
			require.NoError(t, q.QueueAfter(time.Hour, messages.AnyCPU, &armed.it, armed.f, false))
			if forced {
				r := untilTold().on(t, q)
				<-r.entered
				_ = stopNow(t, sys)
			} else {
				require.NoError(t, sys.Stop(t.Context()))
			}
			requireDropped(t, armed)
		})
	}
}

// An item that is told to end may try to queue itself: it is refused, and idle.
func TestForcedStopRefusesWhatEndingItemsQueue(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		var self *job
		var err error
		self = newJob(func(ctx *messages.Context) error {
			<-ctx.Done()
			err = q.Queue(&self.it, self.f, true)
			return nil
		})
		self.on(t, q)
		<-self.entered
		_ = stopNow(t, sys)
		require.ErrorIs(t, err, messages.ErrStopped)
		require.Zero(t, self.it.State()&(messages.Pending|messages.Running))
	})
}

// Nobody who asks about an item of a system that is gone waits for ever.
func TestAfterAStopNobodyWaits(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		j := newJob(nil).on(t, q)
		require.NoError(t, sys.Stop(t.Context()))
		require.False(t, Cancel(&j.it))
		require.NoError(t, Flush(t.Context(), &j.it))
		_, err := CancelWait(t.Context(), &j.it)
		require.NoError(t, err)
		_, err = q.Stats(t.Context())
		require.ErrorIs(t, err, messages.ErrStopped)
		require.ErrorIs(t, q.Drain(t.Context()), messages.ErrStopped)
		require.ErrorIs(t, q.SetMaxActive(3), messages.ErrStopped)
		require.ErrorIs(t, q.QueueAfter(time.Second, messages.AnyCPU, &j.it, j.f, false), messages.ErrStopped)
	})
}
