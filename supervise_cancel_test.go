package cmwq_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// armedRetry gives an item of a queue that failed once and is armed for a minute.
func armedRetry(t *testing.T, sys *cmwq.System, opts ...cmwq.QueueOption) (*cmwq.Queue, *failing) {
	t.Helper()
	s := supervisor.Retry(9, supervisor.Constant(time.Minute))
	q := queue(t, sys, "q", append(opts, cmwq.Supervise(s))...)
	f := newFailing(3, since())
	require.NoError(t, q.Queue(f.Work))
	synctest.Wait()
	require.Equal(t, cmwq.Busy{Pending: true}, f.Busy())
	require.Equal(t, []int{1}, f.began)
	return q, f
}

func TestWhatTakesAnArmedRetryOff(t *testing.T) {
	for name, take := range map[string]func(f *failing) (bool, error){
		"cancel":      func(f *failing) (bool, error) { return f.Cancel(), nil },
		"cancel wait": func(f *failing) (bool, error) { return f.CancelWait(bg) },
		"disable": func(f *failing) (bool, error) {
			was, err := f.Disable(bg)
			_, _ = f.Enable()
			return was, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var failures []error
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, f := armedRetry(t, sys)
				was, err := take(f)
				require.NoError(t, err)
				require.True(t, was)
				require.Equal(t, cmwq.Busy{}, f.Busy())
				time.Sleep(time.Hour)
				synctest.Wait()
				require.Equal(t, []int{1}, f.began, "it does not run again")
				require.Equal(t, [5]int64{1, 0, 1, 0, 0}, counts(t, q))
				require.NoError(t, q.Queue(f.Work))
				synctest.Wait()
				require.Equal(t, []int{1, 1}, f.began, "who queues it anew begins with 1")
				f.Cancel()
			}, told(&failures))
			require.Empty(t, failures)
		})
	}
}

func TestModifyOfAnArmedRetryBeginsAnew(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, f := armedRetry(t, sys)
		was, err := q.Modify(time.Second, f.Work)
		require.NoError(t, err)
		require.True(t, was)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, []int{1, 1}, f.began)
		require.Equal(t, []int{0, 1000}, f.at)
		f.Cancel()
	})
}

func TestFlushOfAnArmedRetryQueuesItAtOnce(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, f := armedRetry(t, sys)
		for _, want := range [][]int{{1, 2}, {1, 2, 3}, {1, 2, 3, 4}} {
			require.NoError(t, f.Flush(bg))
			require.Equal(t, want, f.began)
		}
		require.Equal(t, []int{0, 0, 0, 0}, f.at)
		require.Equal(t, cmwq.Busy{}, f.Busy())
		require.Equal(t, [5]int64{4, 0, 3, 0, 0}, counts(t, q))
	})
}

// A retry that was forwarded and waits at its pool may be taken off as well, and
// leaves nothing behind.
func TestCancelOfARetryThatIsQueued(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.Supervise(supervisor.Retry(9, supervisor.Constant(time.Second))))
		f, g := newFailing(9, since()), newGate()
		require.NoError(t, q.Queue(f.Work))
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		time.Sleep(time.Minute)
		require.True(t, f.Cancel())
		require.NoError(t, q.Queue(f.Work))
		g.open <- struct{}{}
		synctest.Wait()
		require.Equal(t, []int{1, 1}, f.began)
		f.Cancel()
	})
}

// What was queued again while it ran is one execution, and the user's own: the failure
// is told, and nothing is retried.
func TestQueuedAgainWhileItFails(t *testing.T) {
	var failures []error
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(9, supervisor.Constant(time.Second))))
		var n int
		var w *cmwq.Work
		w = cmwq.NewWork(func(ctx *cmwq.Context) error {
			n++
			require.Equal(t, 1, ctx.Attempt())
			if n == 1 {
				require.NoError(t, q.Queue(w))
				return errBroke
			}
			return nil
		})
		require.NoError(t, q.Queue(w))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, 2, n)
		require.Len(t, failures, 1)
		require.Equal(t, [5]int64{2, 1, 0, 0, 0}, counts(t, q))
	}, told(&failures))
}

// An execution that was told to end is not retried, however it ends.
func TestCancelledWhileItRunsIsNotRetried(t *testing.T) {
	var failures []error
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(9, supervisor.Backoff{})))
		var n atomic.Int32
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { n.Add(1); return ctx.Sleep(time.Hour) })
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		_, err := w.CancelWait(bg)
		require.NoError(t, err)
		synctest.Wait()
		require.EqualValues(t, 1, n.Load())
		require.Equal(t, cmwq.Busy{}, w.Busy())
		require.Equal(t, [5]int64{1, 1, 0, 0, 0}, counts(t, q))
	}, told(&failures))
	require.Len(t, failures, 1)
	require.ErrorIs(t, failures[0], cmwq.ErrCancelled)
}

// So is not one whose canceller gave up before it ended.
func TestTheCancellerGaveUp(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(9, supervisor.Backoff{})))
		var n atomic.Int32
		w := cmwq.NewWork(func(*cmwq.Context) error { n.Add(1); time.Sleep(time.Minute); return errBroke })
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		_, err := w.CancelWait(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 1, n.Load())
		require.Equal(t, cmwq.Busy{}, w.Busy())
	}, told(new([]error)))
}

func TestRetriesOfAQueueThatEnds(t *testing.T) {
	t.Run("destroy", func(t *testing.T) {
		var failures []error
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q, f := armedRetry(t, sys)
			fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, errBroke })
			require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
			g := newGate()
			late := cmwq.NewWork(func(ctx *cmwq.Context) error { _ = g.Func(ctx); return errBroke })
			require.NoError(t, q.Queue(late))
			synctest.Wait()
			at := since()
			go func() { time.Sleep(time.Second); g.open <- struct{}{} }()
			require.NoError(t, q.Destroy(bg))
			require.Equal(t, 1000, at())
			require.Equal(t, cmwq.Busy{}, f.Busy())
			_, err := fut.Wait(bg)
			require.ErrorIs(t, err, errBroke)
			require.ErrorIs(t, err, cmwq.ErrDestroyed)
			require.Equal(t, [5]int64{4, 1, 3, 0, 3}, counts(t, q))
		}, told(&failures))
		require.Len(t, failures, 4)
		for _, err := range failures[:3] {
			var e *cmwq.RetryError
			require.ErrorAs(t, err, &e)
			require.Equal(t, 1, e.Attempts)
			require.ErrorIs(t, err, cmwq.ErrDestroyed)
			require.ErrorIs(t, err, errBroke)
		}
		require.Equal(t, errBroke, failures[3], "one that failed while its queue ended was not retried")
	})
	t.Run("drain", func(t *testing.T) {
		var failures []error
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q, f := armedRetry(t, sys)
			g := newGate()
			late := cmwq.NewWork(func(ctx *cmwq.Context) error { _ = g.Func(ctx); return errBroke })
			require.NoError(t, q.Queue(late))
			synctest.Wait()
			go func() { time.Sleep(2 * time.Minute); g.open <- struct{}{} }()
			require.NoError(t, q.Drain(bg))
			synctest.Wait()
			require.Equal(t, []int{1}, f.began, "it came due while the queue drained")
			require.Equal(t, cmwq.Busy{}, f.Busy())
			require.Equal(t, [5]int64{2, 1, 1, 0, 1}, counts(t, q))
		}, told(&failures))
		require.Len(t, failures, 2)
		require.ErrorIs(t, failures[0], cmwq.ErrDraining)
		require.ErrorIs(t, failures[0], errBroke)
	})
	t.Run("stop", func(t *testing.T) {
		var failures []error
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q, f := armedRetry(t, sys)
			require.NoError(t, sys.Stop(bg))
			require.Equal(t, cmwq.Busy{}, f.Busy())
			st, _ := q.Stats(bg)
			require.EqualValues(t, 1, st.Dropped)
		}, told(&failures))
		require.Len(t, failures, 1)
		require.ErrorIs(t, failures[0], cmwq.ErrStopped)
	})
	t.Run("forced stop", func(t *testing.T) {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(9, supervisor.Backoff{})))
			fut := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 0, ctx.Sleep(time.Hour) })
			synctest.Wait()
			ctx, cancel := context.WithTimeout(bg, time.Second)
			defer cancel()
			var e *cmwq.StopError
			require.ErrorAs(t, sys.Stop(ctx), &e)
			_, err := fut.Wait(bg)
			require.ErrorIs(t, err, cmwq.ErrStopped)
		})
	})
}

func TestMarkedErrors(t *testing.T) {
	var failures []error
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(9, supervisor.Constant(time.Hour))))
		at := since()
		var n []int
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			n = append(n, at())
			if ctx.Attempt() < 3 {
				return cmwq.RetryAfter(time.Second, errBroke)
			}
			return cmwq.Permanent(errBroke)
		}))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []int{0, 1000, 2000}, n)
		require.Equal(t, [5]int64{3, 1, 2, 0, 0}, counts(t, q))
	}, told(&failures))
	require.Len(t, failures, 1)
	require.ErrorIs(t, failures[0], errBroke)
	assert.NoError(t, cmwq.Permanent(nil))
	assert.NoError(t, cmwq.RetryAfter(time.Second, nil))
	plain := errors.New("x")
	assert.Equal(t, "x", cmwq.Permanent(plain).Error())
}

func TestRunsOfASeriesAreNotRetried(t *testing.T) {
	for name, policy := range map[string]cmwq.CatchUpPolicy{"skip": cmwq.Skip, "all": cmwq.All} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(9, supervisor.Constant(time.Second))))
				f := newFailing(1000, since())
				s, err := q.Every(cmwq.Interval(10*time.Second), f.Work, cmwq.CatchUp(policy))
				require.NoError(t, err)
				time.Sleep(35 * time.Second)
				synctest.Wait()
				require.Equal(t, []int{10000, 20000, 30000}, f.at)
				require.True(t, s.Stop())
				require.NoError(t, q.Queue(f.Work))
				time.Sleep(1500 * time.Millisecond)
				synctest.Wait()
				require.Equal(t, []int{1, 1, 1, 1, 2}, f.began, "by hand it is an item as any")
				f.Cancel()
			}, told(new([]error)))
		})
	}
}
