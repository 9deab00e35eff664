package cmwq_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// snapshotOf is the part of a snapshot that is about one queue.
func snapshotOf(t *testing.T, sys *cmwq.System, name string) cmwq.QueueSnapshot {
	t.Helper()
	snap, err := sys.Snapshot(bg)
	require.NoError(t, err)
	for _, q := range snap.Queues {
		if q.Name == name {
			return q
		}
	}
	require.Fail(t, "no such queue in the snapshot", name)
	return cmwq.QueueSnapshot{}
}

// sameStats requires that the snapshot has what Stats says, and gives it.
func sameStats(t *testing.T, sys *cmwq.System, q *cmwq.Queue) cmwq.Stats {
	t.Helper()
	want, err := q.Stats(bg)
	require.NoError(t, err)
	require.Equal(t, want, snapshotOf(t, sys, q.Name()).Stats)
	return want
}

// A snapshot tells of every queue what its Stats do, whatever became of its work, and
// what its kind is.
func TestSnapshotHasStats(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				queue(t, sys, "unused", kind)
				require.Equal(t, name, snapshotOf(t, sys, "q").Kind)
				require.Empty(t, snapshotOf(t, sys, "q").Shares)
				sameStats(t, sys, q)
				for range 5 {
					require.NoError(t, q.Go(anotherItem))
				}
				require.NoError(t, q.Go(func(*cmwq.Context) error { return errors.New("of the test") }))
				require.NoError(t, q.Flush(bg))
				hold, entered, open := latch()
				require.NoError(t, q.QueueOn(0, hold))
				<-entered
				w := cmwq.NewWork(anotherItem)
				require.NoError(t, q.QueueAfter(time.Hour, w))
				require.True(t, w.Cancel())
				later := cmwq.NewWork(anotherItem)
				require.NoError(t, q.QueueAfter(time.Hour, later))
				synctest.Wait()
				st := sameStats(t, sys, q)
				require.Equal(t, []int64{7, 1, 1}, []int64{st.Total, st.InFlight, st.Failed})
				require.Equal(t, [2]int64{1, 1}, [2]int64{st.Cancelled, int64(st.Delayed)})
				require.Len(t, snapshotOf(t, sys, "q").Shares, 1, "those that have nothing are not told of")
				open <- struct{}{}
				require.NoError(t, q.Flush(bg))
				require.Empty(t, snapshotOf(t, sys, "q").Shares)
				sameStats(t, sys, q)
				sameStats(t, sys, sys.Queue("unused"))
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}

// The numbers of shares that left their queue are kept, and counted once.
func TestSnapshotCountsSharesThatLeft(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		total := int64(0)
		for i, scope := range []topology.Scope{topology.ScopeCPU, topology.ScopeSystem, topology.ScopeCPU} {
			hold, entered, open := latch()
			require.NoError(t, q.Queue(hold))
			<-entered
			require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(scope, false)))
			total++
			st := sameStats(t, sys, q)
			require.Equal(t, []int64{total, 1}, []int64{st.Total, st.InFlight}, "%d: it runs where it was", i)
			open <- struct{}{}
			require.NoError(t, q.Flush(bg))
			synctest.Wait()
			st = sameStats(t, sys, q)
			require.Equal(t, []int64{total, 0}, []int64{st.Total, st.InFlight})
		}
	}, cmwq.WithHogThreshold(0), noGauges())
}

// While pools change under a queue that works, its numbers never fall.
func TestSnapshotTotalNeverFalls(t *testing.T) {
	topo, err := topology.Uniform(1, 2, 2, 1)
	require.NoError(t, err)
	sys := start(t, silent(), cmwq.WithTopology(topo))
	q := queue(t, sys, "q")
	stop, stopped := make(chan struct{}), make(chan int, 1)
	go func() {
		n := 0
		defer func() { stopped <- n }()
		for {
			select {
			case <-stop:
				return
			default:
			}
			if q.Go(anotherItem) == nil {
				n++
			}
			if n%64 == 0 {
				_ = q.Flush(bg)
			}
		}
	}()
	last := int64(0)
	for i := range short.Rounds(200) {
		scope := topology.ScopeCPU
		if i%2 == 0 {
			scope = topology.ScopeSystem
		}
		require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(scope, false)))
		for range 5 {
			st := snapshotOf(t, sys, "q").Stats
			require.GreaterOrEqual(t, st.Total, last)
			last = st.Total
		}
	}
	close(stop)
	n := <-stopped
	require.NoError(t, q.Flush(bg))
	require.EqualValues(t, n, snapshotOf(t, sys, "q").Stats.Total)
}
