package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// The pools of a queue do not change again before all who go by an older table have
// caught up, however many changes are asked for; then each is made, in order. Else a
// producer that is slower than who changes them would never return.
func TestPoolsDoNotChangeWhileSomebodyIsOnTheWay(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, HighPri: true})
		s := newShaper(t, sys, q)
		was := q.table.Load()
		q.departs()
		q.departs()
		done := make(chan error, 3)
		for _, f := range []func() error{
			func() error { return s.shape(3) }, func() error { return q.Fix(2, 5) }, func() error { return s.shape(1) },
		} {
			go func() { done <- f() }()
			synctest.Wait()
		}
		q.arrives()
		synctest.Wait()
		require.Empty(t, done)
		require.Same(t, was, q.table.Load())
		j := newJob(nil).on(t, q)
		require.NoError(t, q.Flush(t.Context()), "all else goes on")
		require.EqualValues(t, 1, j.ran.Load())
		q.arrives()
		synctest.Wait()
		require.Len(t, done, cap(done))
		for range cap(done) {
			require.NoError(t, <-done)
		}
		now := q.table.Load()
		require.Len(t, now.shares, 1, "as the last asked")
		require.Len(t, now.private(), 2)
	})
}
