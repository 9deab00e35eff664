package cmwq_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// What runs for longer than MaxRun has its context cancelled, and has failed, whatever
// it returns.
func TestMaxRun(t *testing.T) {
	own := errors.New("half done")
	for name, c := range map[string]struct {
		f    func(*cmwq.Context) error
		took time.Duration
		err  error // its own
	}{
		"heeds":       {func(c *cmwq.Context) error { return c.Sleep(time.Hour) }, 10, nil},
		"tells Err":   {func(c *cmwq.Context) error { <-c.Done(); return c.Err() }, 10, nil},
		"nil late":    {func(c *cmwq.Context) error { time.Sleep(30 * time.Millisecond); return nil }, 30, nil},
		"error late":  {func(c *cmwq.Context) error { time.Sleep(30 * time.Millisecond); return own }, 30, own},
		"never asked": {func(*cmwq.Context) error { time.Sleep(30 * time.Millisecond); return nil }, 30, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var failed failures
			log := new(records)
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.MaxRun(10*time.Millisecond))
				w := cmwq.NewWork(c.f)
				require.NoError(t, q.Queue(w))
				require.NoError(t, q.Flush(bg))
				require.NoError(t, q.Go(c.f))
				require.NoError(t, q.Flush(bg))
				_, err := cmwq.Submit(q, func(x *cmwq.Context) (int, error) { return 5, c.f(x) }).Wait(bg)
				e, ok := errors.AsType[*cmwq.TimeoutError](err)
				require.True(t, ok, "nor does a future say that it ended well: %v", err)
				failed.add(e)
				require.NoError(t, q.Go(func(x *cmwq.Context) error { return x.Err() }), "the next one has its own time")
				require.NoError(t, q.Flush(bg))
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Equal(t, []int64{4, 3, 0, 3}, []int64{st.Total, st.Failed, st.WaitedOut, st.RanOut})
				require.NoError(t, q.Destroy(bg))
			}, failed.option(), cmwq.WithLogger(log.logger()))
			require.Len(t, failed.all, 4)
			for _, e := range failed.timeouts(t) {
				require.Equal(t, cmwq.PhaseRunning, e.Phase)
				require.Equal(t, "q", e.Queue)
				require.Equal(t, 10*time.Millisecond, e.Limit)
				require.Equal(t, c.took*time.Millisecond, e.Took)
				require.Equal(t, c.err, e.Err)
				if c.err != nil {
					require.ErrorIs(t, &e, c.err)
				}
				require.Contains(t, e.Func(), "TestMaxRun")
			}
			require.Empty(t, log.find("work goes on after its deadline: it does not heed its context"), "they did not go on for long")
		})
	}
}

// The context of an item with a deadline tells it, and why it has ended.
func TestDeadlineOfTheContext(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxRun(time.Minute))
		for _, c := range []struct {
			in        func(ctx context.Context) queuer
			at, limit time.Duration
		}{
			{func(context.Context) queuer { return q }, time.Minute, time.Minute},
			{func(context.Context) queuer { return q.With(bg) }, time.Minute, time.Minute},
			{func(ctx context.Context) queuer { return q.With(ctx) }, time.Minute, time.Minute},
			{func(context.Context) queuer { return q.With(bg, cmwq.RunAtMost(time.Second)) }, time.Second, time.Second},
			{func(context.Context) queuer { return q.With(bg, cmwq.RunAtMost(time.Hour)).Keyed(1) }, time.Minute, time.Minute},
			{func(ctx context.Context) queuer { return q.With(ctx, cmwq.FollowDeadline()) }, 10 * time.Millisecond, 0},
			{func(ctx context.Context) queuer { return q.With(ctx, cmwq.FollowCancel()) }, 10 * time.Millisecond, 0},
		} {
			ctx, cancel := context.WithTimeout(bg, 10*time.Millisecond)
			now := time.Now()
			require.NoError(t, c.in(ctx).Go(func(x *cmwq.Context) error {
				at, ok := x.Deadline()
				require.True(t, ok)
				require.Equal(t, c.at, at.Sub(now))
				require.NoError(t, x.Err())
				derived, cancel := context.WithCancel(x)
				defer cancel()
				<-derived.Done()
				require.Equal(t, c.at, time.Since(now))
				require.Equal(t, context.DeadlineExceeded, x.Err())
				require.Equal(t, context.DeadlineExceeded, derived.Err())
				for _, cause := range []error{context.Cause(x), context.Cause(derived)} {
					e, ok := errors.AsType[*cmwq.TimeoutError](cause)
					require.True(t, ok, cause)
					require.Equal(t, c.limit, e.Limit)
					require.ErrorIs(t, cause, context.DeadlineExceeded)
				}
				return nil
			}))
			require.NoError(t, q.Flush(bg))
			cancel()
		}
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 7, st.RanOut)
	})
}

func deaf(*cmwq.Context) error { time.Sleep(time.Minute); return nil }

// An item that goes on after its deadline is named, once; one that heeds it is not.
func TestDeafItemIsNamed(t *testing.T) {
	log := new(records)
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxRun(10*time.Second))
		said := func() int { return len(log.find("work goes on after its deadline: it does not heed its context")) }
		require.NoError(t, q.Go(deaf))
		require.NoError(t, q.Go(sleeps(time.Hour)))
		time.Sleep(10900 * time.Millisecond)
		synctest.Wait()
		require.Zero(t, said())
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, 1, said())
		got := log.find("work goes on after its deadline: it does not heed its context")[0]
		require.Equal(t, pkg+"deaf", got["func"])
		require.Equal(t, []string{"q", "10s", "1", "WARN"}, []string{got["queue"], got["limit"], got["times"], got["level"]})
		require.NotEmpty(t, got["worker"])
		require.NoError(t, q.Flush(bg))
		require.Equal(t, 1, said())
		for range 5 { // the second and the fourth time, and no more
			require.NoError(t, q.With(bg, cmwq.RunAtMost(time.Second)).Go(deaf))
			require.NoError(t, q.Flush(bg))
		}
		require.Equal(t, 3, said())
	}, cmwq.WithLogger(log.logger()), noGauges())
}

// A panic or Goexit after the deadline is told as such; its worker has no deadline left.
func TestPanicAfterTheDeadline(t *testing.T) {
	var failed failures
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		require.NoError(t, q.With(bg, cmwq.RunAtMost(1)).Go(func(c *cmwq.Context) error { _ = c.Sleep(1); panic("late") }))
		require.NoError(t, q.Go(func(c *cmwq.Context) error {
			_, ok := c.Deadline()
			require.False(t, ok)
			return c.Sleep(time.Second)
		}))
		require.NoError(t, q.Destroy(bg))
	}, failed.option())
	require.Len(t, failed.all, 1)
	require.ErrorAs(t, failed.all[0], new(*cmwq.PanicError))
}

// Flushers and those who cancel are served as ever.
func TestCancelBesideDeadline(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxRun(time.Second), cmwq.MaxWait(time.Second))
		var cause error
		w := cmwq.NewWork(func(c *cmwq.Context) error { err := c.Sleep(time.Hour); cause = context.Cause(c); return err })
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		at := since()
		_, err := w.CancelWait(bg)
		require.NoError(t, err)
		require.Zero(t, at())
		require.Equal(t, cmwq.ErrCancelled, cause)
		require.NoError(t, q.Queue(w))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 1000, at())
		require.ErrorAs(t, cause, new(*cmwq.TimeoutError))
	})
}
