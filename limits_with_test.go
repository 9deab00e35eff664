package cmwq_test

import (
	"testing"
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
		require.Equal(t, 3, n)
		require.Zero(t, stats(t, q).WaitedOut)
		require.NoError(t, q.Go(pauses(6500*time.Millisecond))) // until 41.5 s
		time.Sleep(10 * time.Second)
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
