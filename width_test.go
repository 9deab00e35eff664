package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Width that was added because work waited for long, and little got done, goes when that
// is over, also if nothing waits then.
func TestWidthThatWasAddedGoes(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		running := func(items int) int {
			for range items {
				require.NoError(t, q.Go(func(*cmwq.Context) error { time.Sleep(50 * time.Millisecond); return nil }))
			}
			synctest.Wait()
			for _, p := range snapshot(t, sys).Pools {
				if p.Kind == "managed" {
					return p.Running
				}
			}
			return 0
		}
		require.Equal(t, 2, running(100))
		time.Sleep(30 * time.Millisecond)
		require.Equal(t, 66, running(0), "the rule's bound, beside the two")
		require.NoError(t, q.Flush(bg))
		time.Sleep(time.Second)
		require.Equal(t, 2, running(20))
		require.NoError(t, q.Flush(bg))
	}, noGauges(), cmwq.WithHogThreshold(0))
}

func snapshot(t *testing.T, sys *cmwq.System) *cmwq.Snapshot {
	t.Helper()
	snap, err := sys.Snapshot(bg)
	require.NoError(t, err)
	return snap
}
