package cmwq_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A member that failed for good ends its group; as a dead letter it may be queued anew,
// and runs then.
func TestDeadLetterOfAGroup(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.DeadLetter(9)))
		ran := 0
		g := cmwq.NewGroup[int](bg, q)
		fut := g.Submit(func(*cmwq.Context) (int, error) {
			if ran++; ran == 1 {
				return 0, errBroke
			}
			return 1, nil
		})
		require.ErrorIs(t, g.Wait(bg), errBroke)
		synctest.Wait()
		n, err := q.Requeue()
		require.NoError(t, err)
		require.Equal(t, 1, n)
		synctest.Wait()
		require.Equal(t, 2, ran)
		_, err = fut.Wait(bg)
		require.ErrorIs(t, err, errBroke, "a result stays")
		require.ErrorIs(t, g.Wait(bg), errBroke)
		late := g.Submit(func(*cmwq.Context) (int, error) { return 1, nil })
		_, err = late.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
	})
}
