package actors

import (
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
)

// Nothing keeps a pool that has ended, however often a queue gets new ones.
func TestEndedPoolsAreForgotten(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound})
		var pools []weak.Pointer[pool]
		for n := range 40 {
			require.NoError(t, q.SetAttrs(t.Context(), func(a *policy.Attrs) { a.Nice = n - 20 }))
			newJob(nil).on(t, q)
			require.NoError(t, q.Flush(t.Context()))
			synctest.Wait()
			pools = append(pools, weak.Make(q.table.Load().shares[0].pool))
		}
		for range 3 {
			runtime.GC()
		}
		kept := 0
		for _, p := range pools {
			if p.Value() != nil {
				kept++
			}
		}
		require.LessOrEqual(t, kept, 20, "the present one, and what the last timers and idle goroutines point to")
	})
}
