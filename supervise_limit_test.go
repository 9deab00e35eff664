package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A deadline is a failure as any: each attempt has its own.
func TestRetryAfterTimeouts(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		s := supervisor.When(supervisor.As[*cmwq.TimeoutError](), supervisor.Retry(3, supervisor.Constant(time.Minute)))
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MaxWait(2*time.Second), cmwq.MaxRun(time.Second), cmwq.Supervise(s))
		at := since()
		var ran []int
		slow := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
			if ran = append(ran, at()); ctx.Attempt() < 3 {
				return 0, ctx.Sleep(time.Hour)
			}
			return 7, nil
		})
		v, err := slow.Wait(bg)
		require.NoError(t, err)
		require.Equal(t, 7, v)
		require.Equal(t, []int{0, 61000, 122000}, ran, "it did not wait since it failed")

		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { ran = append(ran, ctx.Attempt()); return nil })
		require.NoError(t, q.Queue(w))
		time.Sleep(10 * time.Second)
		g.open <- struct{}{}
		g.open <- struct{}{} // it ran for too long, and is to be run again, too
		synctest.Wait()
		require.True(t, w.Pending(), "it waited too long, and is to be run again")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		require.Equal(t, []int{0, 61000, 122000, 2}, ran)
	}, told(new([]error)))
}

// What its submitter has given up is not tried again.
func TestNoRetryForASubmitterThatIsGone(t *testing.T) {
	var failures []error
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(-1, supervisor.Constant(time.Second))))
		ctx, cancel := context.WithCancel(bg)
		n := 0
		require.NoError(t, q.With(ctx, cmwq.FollowCancel()).Go(func(ctx *cmwq.Context) error { n++; return errBroke }))
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, 4, n)
		cancel()
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, 4, n)
	}, told(&failures))
	require.Len(t, failures, 1)
	require.ErrorIs(t, failures[0], cmwq.ErrCancelled)
}
