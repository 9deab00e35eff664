package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// atOnce gives how many of 100 items over all CPUs execute at once.
func atOnce(t *testing.T, sys *cmwq.System, q *cmwq.Queue) int {
	t.Helper()
	var m meter
	cpus := sys.Topology().NumCPU()
	for i := range 100 {
		w := m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })
		require.NoError(t, q.QueueOn(i%cpus, w))
	}
	synctest.Wait()
	now := m.in.Load()
	require.NoError(t, q.Flush(bg))
	require.LessOrEqual(t, m.most.Load(), now+1)
	return int(now)
}

// Rows 21 to 23: MaxActive alone is exact; with MinActive it is divided over the
// memory nodes as in the kernel, and each has its least.
func TestMaxActiveOverMemoryNodes(t *testing.T) {
	for _, tt := range []struct {
		machine                string
		most, least, want, all int // at once, with and without MinActive
	}{
		{"numa:4 core:1", 4, 8, 16, 4},
		{"numa:2 core:8", 16, 8, 16, 16},
		{"numa:2 core:8", 1, 1, 2, 1},
		{"numa:2 core:2", 10, 2, 10, 10},
	} {
		machine, _ := pods(t, tt.machine)
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			for _, kind := range []cmwq.QueueOption{cmwq.Unbound(), cmwq.CPUIntensive()} {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(tt.most), cmwq.MinActive(tt.least))
				require.Equal(t, tt.want, atOnce(t, sys, q), "%+v", tt)
				require.NoError(t, q.SetMinActive(0))
				require.Equal(t, tt.all, atOnce(t, sys, q), "%+v", tt)
				require.NoError(t, q.SetMinActive(tt.least))
				require.Equal(t, tt.want, atOnce(t, sys, q), "%+v", tt)
				require.NoError(t, q.Destroy(bg))
			}
		}, machine, noGauges())
	}
}

// A node's part follows the CPUs that the queue may use.
func TestNodePartsFollowTheMask(t *testing.T) {
	machine, _ := pods(t, "numa:2 core:4")
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound(), cmwq.Affinity(topology.ScopeNUMA, false), cmwq.MaxActive(8), cmwq.MinActive(1))
		require.Equal(t, 8, atOnce(t, sys, q), "4 and 4")
		require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(cpuset.New(0, 1, 2, 4))))
		require.Equal(t, 8, atOnce(t, sys, q), "6 and 2")
		require.NoError(t, q.SetMaxActive(5))
		require.Equal(t, 6, atOnce(t, sys, q), "4 and 2, rounded up")
	}, machine, noGauges())
}

// Row 32: a slot that is free in one pool starts what waits in another.
func TestSlotsOfOnePoolStartWorkOfAnother(t *testing.T) {
	machine, _ := pods(t, twoPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound(), cmwq.MaxActive(2))
		var m meter
		for _, cpu := range []int{0, 0, 2, 2} { // both slots go to the first pod
			w := m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })
			require.NoError(t, q.QueueOn(cpu, w))
			synctest.Wait()
		}
		time.Sleep(1500 * time.Microsecond)
		synctest.Wait()
		require.EqualValues(t, 2, m.in.Load(), "of the second pod")
		require.NoError(t, q.Flush(bg))
	}, machine, noGauges())
}

func TestMinActiveOfOtherQueues(t *testing.T) {
	sys := start(t)
	_, err := sys.NewQueue("q", cmwq.PerCPU(), cmwq.MinActive(1))
	require.ErrorIs(t, err, cmwq.ErrPerCPU)
	_, err = sys.NewQueue("q", cmwq.Ordered(), cmwq.MinActive(1))
	require.ErrorIs(t, err, cmwq.ErrOrdered)
	_, err = sys.NewQueue("q", cmwq.MinActive(-1))
	require.ErrorIs(t, err, cmwq.ErrOption)
	q := queue(t, sys, "ordered", cmwq.Ordered())
	require.ErrorIs(t, q.SetMinActive(1), cmwq.ErrOrdered)
	require.ErrorIs(t, queue(t, sys, "q").SetMinActive(-1), cmwq.ErrOption)
}
