package cmwq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Items with a key are in a Snapshot wherever they wait: behind one of their key, for a
// slot, or for a worker. Its numbers are those of Stats.
func TestSnapshotShowsItemsWithAKey(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MaxActive(2))
		hold, entered, open := latch()
		require.NoError(t, q.Keyed("a").Queue(hold))
		<-entered
		require.NoError(t, q.Keyed("b").Go(anotherItem)) // on the worklist
		for range 3 {
			require.NoError(t, q.Keyed("a").Go(anotherItem)) // held
		}
		for _, key := range []string{"c", "d"} {
			require.NoError(t, q.Keyed(key).Go(anotherItem)) // inactive
		}
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, 5, st.Inactive)
		snap, err := sys.Snapshot(bg)
		require.NoError(t, err)
		s := snap.Queues[0].Shares[0]
		require.Equal(t, st.Inactive, s.Inactive)
		n := 0
		for _, r := range s.Held {
			require.Equal(t, pkg+"anotherItem", r.Func)
			n += r.N
		}
		require.Equal(t, 5, n)
		require.NoError(t, q.SetMaxActive(4))
		snap, err = sys.Snapshot(bg)
		require.NoError(t, err)
		s = snap.Queues[0].Shares[0]
		n = 0
		for _, r := range s.Pending {
			require.Equal(t, pkg+"anotherItem", r.Func)
			n += r.N
		}
		require.Equal(t, 3, n, "on the worklist now")
		open <- struct{}{}
	})
}
