package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// Who waits for an item waits for its last attempt.
func TestWorkBehindARetry(t *testing.T) {
	for name, backoff := range map[string]supervisor.Backoff{"at once": {}, "later": supervisor.Constant(time.Second)} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(3, backoff)))
				other := queue(t, sys, "other")
				for _, times := range []int{2, 3, 9} {
					f := newFailing(times, since())
					require.NoError(t, q.QueueAfter(time.Second, f.Work))
					var saw, bad []int
					require.NoError(t, other.After(f.Work).Go(func(*cmwq.Context) error {
						saw = append(saw, len(f.began))
						return nil
					}))
					fut := cmwq.Submit(other.After(f.Work).OnlyOK(), func(*cmwq.Context) (int, error) {
						bad = append(bad, len(f.began))
						return 0, nil
					})
					_, err := fut.Wait(bg)
					time.Sleep(time.Minute)
					synctest.Wait()
					require.Equal(t, []int{min(times+1, 4)}, saw)
					if times == 9 {
						require.ErrorAs(t, err, new(*cmwq.DependencyError))
						require.Empty(t, bad)
					} else {
						require.NoError(t, err)
						require.Equal(t, []int{times + 1}, bad)
					}
				}
			}, told(new([]error)))
		})
	}
}

// What takes the retry off is the end of the item for those behind it.
func TestWorkBehindARetryThatIsCancelled(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, f := armedRetry(t, sys)
		other := queue(t, sys, "other")
		fut := cmwq.Submit(other.After(f.Work).OnlyOK(), func(*cmwq.Context) (int, error) { return 0, nil })
		synctest.Wait()
		require.True(t, f.Cancel())
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
		require.NoError(t, q.Destroy(bg))
	})
}
