package cmwq_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

var errBroke = errors.New("it broke")

// failing is an item that fails so many times, in turn with an error, a panic and a
// Goexit, and then is done.
type failing struct {
	*cmwq.Work
	began []int // attempt numbers
	at    []int // ms
	last  []error
}

func newFailing(times int, at func() int) *failing {
	f := new(failing)
	f.Work = cmwq.NewWork(func(ctx *cmwq.Context) error { return f.run(ctx, times, at) })
	return f
}

func (f *failing) run(ctx *cmwq.Context, times int, at func() int) error {
	f.began, f.at, f.last = append(f.began, ctx.Attempt()), append(f.at, at()), append(f.last, ctx.LastError())
	n := len(f.began)
	switch {
	case n > times:
		return nil
	case n%3 == 1:
		return fmt.Errorf("attempt %d: %w", n, errBroke)
	case n%3 == 2:
		panic(fmt.Errorf("attempt %d: %w", n, errBroke))
	}
	runtime.Goexit()
	return nil
}

// told collects failures that are reported.
func told(list *[]error) cmwq.Option {
	return cmwq.WithOnFailure(func(_ string, err error) { *list = append(*list, err) })
}

func counts(t *testing.T, q *cmwq.Queue) [5]int64 {
	t.Helper()
	st := stats(t, q)
	return [5]int64{st.Total, st.Failed, st.Retried, st.DeadLettered, st.Dropped}
}

func TestRetryUntilItIsDone(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			var failures []error
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				strategy := supervisor.Retry(5, supervisor.Exponential(10*time.Millisecond, 30*time.Millisecond).Exact())
				q := queue(t, sys, "q", kind, cmwq.Supervise(strategy))
				at := since()
				f := newFailing(4, at)
				require.NoError(t, q.Queue(f.Work))
				synctest.Wait()
				require.Equal(t, cmwq.Busy{Pending: true}, f.Busy(), "a retry is armed")
				require.ErrorIs(t, q.Queue(f.Work), cmwq.ErrPending)
				time.Sleep(time.Second)
				synctest.Wait()
				assert.Equal(t, []int{1, 2, 3, 4, 5}, f.began)
				assert.Equal(t, []int{0, 10, 30, 60, 90}, f.at)
				require.NoError(t, f.last[0])
				require.ErrorIs(t, f.last[1], errBroke)
				var p *cmwq.PanicError
				require.ErrorAs(t, f.last[2], &p)
				require.ErrorIs(t, f.last[3], cmwq.ErrGoexit)
				assert.Equal(t, [5]int64{5, 0, 4, 0, 0}, counts(t, q))
				assert.Equal(t, cmwq.Busy{}, f.Busy())

				f.began = nil
				require.NoError(t, q.Queue(f.Work))
				synctest.Wait()
				assert.Equal(t, []int{1}, f.began, "who queues it anew begins with 1")
				_, err := f.CancelWait(bg)
				require.NoError(t, err)
			}, told(&failures))
			require.Empty(t, failures)
		})
	}
}

func TestRetryUsedUp(t *testing.T) {
	var failures []error
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(2, supervisor.Backoff{})))
		f := newFailing(100, since())
		require.NoError(t, q.Queue(f.Work))
		synctest.Wait()
		require.Equal(t, []int{1, 2, 3}, f.began)
		require.Len(t, failures, 1)
		require.ErrorIs(t, failures[0], cmwq.ErrGoexit)
		require.Equal(t, [5]int64{3, 1, 2, 0, 0}, counts(t, q))
		require.Equal(t, cmwq.Busy{}, f.Busy())
	}, told(&failures))
}

func TestRetryOfAClosure(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(-1, supervisor.Constant(time.Second))))
		f := newFailing(7, since())
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return f.Func(ctx) }))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8}, f.began)
		require.Equal(t, []int{0, 1000, 2000, 3000, 4000, 5000, 6000, 7000}, f.at)
	})
}

func TestFutureResolvesAfterTheLastAttempt(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(5, supervisor.Constant(time.Second))))
		for _, times := range []int{4, 1000} {
			at := since()
			f := newFailing(times, at)
			fut := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
				err := f.Func(ctx)
				return len(f.began), err
			})
			v, err := fut.Wait(bg)
			if times == 4 {
				require.NoError(t, err)
				require.Equal(t, 5, v)
				require.Equal(t, 4000, at())
			} else {
				require.ErrorIs(t, err, cmwq.ErrGoexit)
				require.Equal(t, 5000, at())
			}
		}
		f := newFailing(1, since())
		fut := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 1, f.Func(ctx) })
		synctest.Wait()
		require.True(t, fut.Cancel(), "an armed retry is pending")
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
	})
}
