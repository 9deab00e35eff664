package cmwq_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
)

// A queue keeps what its former pools have counted.
func TestCountersOutliveThePools(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		for range 3 {
			require.NoError(t, q.Go(func(*cmwq.Context) error { time.Sleep(time.Millisecond); return nil }))
		}
		require.NoError(t, q.Flush(bg))
		before := sameStats(t, sys, q)
		require.Equal(t, [2]int64{3, 3}, [2]int64{before.Queued, before.Total})
		require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(cpuset.New(1))))
		time.Sleep(time.Second) // the old shares are gone
		require.Equal(t, before, sameStats(t, sys, q))
	}, noGauges())
}
