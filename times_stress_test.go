package cmwq_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// Items that are queued by many at once, cancelled, moved and armed are measured while
// pools change and snapshots are taken: numbers only grow, and none is absurd.
func TestStressTimes(t *testing.T) {
	topo, err := topology.Uniform(1, 2, 2, 1)
	require.NoError(t, err)
	sys := start(t, silent(), cmwq.WithTopology(topo), cmwq.WithMonitor())
	began := time.Now()
	q, other := queue(t, sys, "q"), queue(t, sys, "other", cmwq.Unbound())
	items := make([]*cmwq.Work, 64)
	for i := range items {
		items[i] = cmwq.NewWork(nop)
	}
	var producers sync.WaitGroup
	for p := range 4 {
		producers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(p), 1))
			for range short.Rounds(3000) {
				w := items[rng.IntN(len(items))]
				switch rng.IntN(8) {
				case 0:
					w.Cancel()
				case 1:
					_ = other.Queue(w)
				case 2:
					_ = q.QueueAfter(time.Duration(rng.IntN(1000))*time.Microsecond, w)
				case 3:
					_, _ = q.Modify(0, w)
				case 4:
					_ = q.Keyed(p).Queue(w)
				case 5:
					_ = q.Go(nop)
				default:
					_ = q.Queue(w)
				}
			}
		})
	}
	last := int64(0)
	for i := range short.Rounds(30) {
		scope := topology.ScopeCPU
		if i%2 == 0 {
			scope = topology.ScopeSystem
		}
		require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(scope, false)))
		st := snapshotOf(t, sys, "q")
		require.GreaterOrEqual(t, st.Wait.N, last)
		last = st.Wait.N
	}
	producers.Wait()
	require.NoError(t, q.Flush(bg))
	require.NoError(t, other.Flush(bg))
	for _, name := range []string{"q", "other"} {
		st := snapshotOf(t, sys, name)
		require.Equal(t, st.Wait.N, st.Run.N)
		require.Positive(t, st.Wait.N)
		require.LessOrEqual(t, st.Wait.Max, time.Since(began))
		require.LessOrEqual(t, st.Run.Max, time.Since(began))
		require.LessOrEqual(t, st.Wait.P50, st.Wait.P99)
		require.LessOrEqual(t, st.Wait.P999, st.Wait.Max)
	}
}
