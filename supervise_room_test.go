package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A retry that is armed has its room in a bounded queue as any armed item, and gives
// it back however it ends.
func TestRetriesInABoundedQueue(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Bounded(2, cmwq.Refuse), cmwq.Supervise(supervisor.Retry(2, supervisor.Constant(time.Minute))))
		other := func() error { return q.Go(func(*cmwq.Context) error { return nil }) }
		for _, end := range []func(f *failing){
			func(f *failing) { require.True(t, f.Cancel()) },
			func(*failing) { time.Sleep(10 * time.Minute) },
			func(f *failing) {
				_, err := q.Modify(time.Hour, f.Work)
				require.NoError(t, err)
				require.True(t, f.Cancel())
			},
		} {
			f, g := newFailing(5, since()), newFailing(1, since())
			require.NoError(t, q.Queue(f.Work))
			synctest.Wait()
			require.NoError(t, other())
			synctest.Wait()
			require.NoError(t, q.Queue(g.Work))
			synctest.Wait()
			require.ErrorIs(t, other(), cmwq.ErrFull)
			end(f)
			time.Sleep(time.Minute)
			synctest.Wait()
			for range 10 {
				require.NoError(t, other())
				synctest.Wait()
			}
			l := newGate()
			require.NoError(t, q.QueueAfter(time.Hour, l.Work))
			require.NoError(t, q.QueueAfter(time.Hour, f.Work))
			require.ErrorIs(t, other(), cmwq.ErrFull, "no room was given twice")
			require.True(t, l.Cancel())
			require.True(t, f.Cancel())
		}
	}, told(new([]error)))
}

// A member of a group ends with its last attempt, and then ends the group; a member
// that waits to be run again is taken off with it.
func TestRetriesInAGroup(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(2, supervisor.Constant(time.Second))))
		g := cmwq.NewGroup[int](bg, q)
		at := since()
		n := 0
		g.Go(func(*cmwq.Context) error {
			if n++; n < 3 {
				return errBroke
			}
			return nil
		})
		require.NoError(t, g.Wait(bg))
		require.Equal(t, 2000, at())

		g = cmwq.NewGroup[int](bg, q)
		armed := g.Submit(func(*cmwq.Context) (int, error) { return 0, cmwq.RetryAfter(time.Hour, errBroke) })
		g.Go(func(*cmwq.Context) error { return errBroke })
		require.ErrorIs(t, g.Wait(bg), errBroke)
		require.Equal(t, 4000, at())
		_, err := armed.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
	}, told(new([]error)))
}
