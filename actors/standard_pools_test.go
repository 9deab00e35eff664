package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
)

// Who makes a queue and ends it, again and again, does not make and end a pool each
// time; pools that few queues want do end, and so do those that are out of date.
func TestStandardPoolsStay(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		once := func(opts QueueOptions) *pool {
			q := newTestQueue(t, sys, "q", opts)
			p := q.table.Load().shares[0].pool
			require.NoError(t, q.Destroy(t.Context()))
			synctest.Wait()
			return p
		}
		for _, kind := range []Kind{Managed, Unbound, Ordered} {
			first := once(QueueOptions{Kind: kind})
			require.Same(t, first, once(QueueOptions{Kind: kind}))
		}
		for _, opts := range []QueueOptions{{HighPri: true}, {Attrs: policy.Attrs{Nice: 3}}, {Attrs: policy.Attrs{CPUs: cpuset.New(1)}}} {
			first := once(opts)
			require.NotSame(t, first, once(opts))
		}
		require.EqualValues(t, 3, sys.pools.Load())
		keep := newTestQueue(t, sys, "keep", QueueOptions{})
		old := once(QueueOptions{})
		require.NoError(t, sys.SetUnboundMask(t.Context(), cpuset.New(0)))
		synctest.Wait()
		require.EqualValues(t, 1, sys.pools.Load(), "those of the old mask are gone")
		require.NotSame(t, old, once(QueueOptions{}))
		require.NoError(t, keep.Destroy(t.Context()))
	})
}
