package cmwq_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
)

// A queue whose oldest share is a fixed worker's, which is none of the ledger's:
// when its shared pools change after MinActive has, they are given up all the same,
// and flushes and drains do not wait for them.
func TestFixedWorkersOutliveSharedPools(t *testing.T) {
	machine, _ := pods(t, "numa:2 core:2")
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Fix(1, 4))
		for i := range 4 {
			require.NoError(t, q.SetMinActive(i%2))
			require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(cpuset.New(i))))
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Millisecond) }))
			ctx, cancel := context.WithTimeout(bg, time.Hour)
			require.NoError(t, q.Flush(ctx))
			cancel()
		}
		ctx, cancel := context.WithTimeout(bg, time.Hour)
		defer cancel()
		require.NoError(t, q.Destroy(ctx))
	}, machine)
}
