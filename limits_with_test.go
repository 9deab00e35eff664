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

// A periodic item comes to its queue at each of its instants.
func TestMaxWaitOfASeries(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MaxWait(time.Second))
		n := 0
		s, err := q.Every(cmwq.Interval(10*time.Second), cmwq.NewWork(func(*cmwq.Context) error { n++; return nil }))
		require.NoError(t, err)
		time.Sleep(35 * time.Second)
		synctest.Wait()
		require.Equal(t, 3, n)
		require.Zero(t, stats(t, q).WaitedOut)
		require.NoError(t, q.Go(pauses(6500*time.Millisecond))) // until 41.5 s
		time.Sleep(20 * time.Second)
		synctest.Wait()
		require.Equal(t, 4, n, "one waited too long")
		require.EqualValues(t, 1, stats(t, q).WaitedOut)
		require.True(t, s.Stop())
	})
}

// A retry has waited since it came to the queue, also to one that drops the oldest.
func TestWaitAtMostOfARetry(t *testing.T) {
	for name, bound := range map[string]cmwq.QueueOption{
		"any": cmwq.MaxActive(2), "refuses": cmwq.Bounded(3, cmwq.Refuse), "drops": cmwq.Bounded(3, cmwq.DropOldest),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", bound, cmwq.Supervise(supervisor.Retry(3, supervisor.Constant(time.Minute))))
				time.Sleep(time.Hour)
				n := 0
				fut := cmwq.Submit(q.With(bg, cmwq.WaitAtMost(10*time.Second)), func(*cmwq.Context) (int, error) {
					if n++; n == 1 {
						return 0, errBroke
					}
					return n, nil
				})
				v, err := fut.Wait(bg)
				require.NoError(t, err)
				require.Equal(t, 2, v)
			})
		})
	}
}

// Its submitter's deadline is no sooner over for another attempt.
func TestNoRetryBeyondTheSubmittersDeadline(t *testing.T) {
	for name, f := range map[string]func(*cmwq.Context) error{
		"fails": func(*cmwq.Context) error { return errBroke }, "runs": pauses(time.Hour),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(-1, supervisor.Constant(time.Second))))
				ctx, cancel := context.WithTimeout(bg, 4500*time.Millisecond)
				defer cancel()
				at := since()
				fut := cmwq.Submit(q.With(ctx, cmwq.FollowDeadline()), func(ctx *cmwq.Context) (int, error) { return 0, f(ctx) })
				time.Sleep(time.Minute)
				require.Less(t, stats(t, q).Retried, int64(10))
				_, err := fut.Wait(bg)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, 60000, at())
			})
		})
	}
}

// A dead letter that is queued again has not waited since it failed.
func TestWaitAtMostOfADeadLetter(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxWait(time.Minute), cmwq.Supervise(supervisor.DeadLetter(3)))
		n := 0
		view := q.With(context.WithValue(bg, keyOfTest{}, "v"), cmwq.WaitAtMost(10*time.Second))
		fails := func(ctx *cmwq.Context) error {
			require.Equal(t, "v", ctx.Value(keyOfTest{}))
			if n++; n <= 2 {
				return errBroke
			}
			return nil
		}
		require.NoError(t, view.Go(fails))
		require.NoError(t, view.Keyed("k").Go(fails))
		time.Sleep(time.Hour)
		requeued, err := q.Requeue()
		require.NoError(t, err)
		require.Equal(t, 2, requeued)
		synctest.Wait()
		require.Equal(t, 4, n)
		left, err := q.DeadLetters(bg)
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

type keyOfTest struct{}
