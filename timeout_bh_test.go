package cmwq_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// The limits hold on a BH queue, too, and on fixed workers.
func TestLimitsOnOtherRunners(t *testing.T) {
	for name, c := range map[string]struct {
		opts []cmwq.QueueOption
		fix  int
	}{
		"bh":    {[]cmwq.QueueOption{cmwq.BH()}, 0},
		"fixed": {nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var failed failures
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", append(c.opts, cmwq.MaxWait(20*time.Millisecond), cmwq.MaxRun(10*time.Millisecond))...)
				if c.fix > 0 {
					require.NoError(t, q.Fix(c.fix, 10))
				}
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { time.Sleep(30 * time.Millisecond); return ctx.Err() }))
				require.NoError(t, q.Go(lateItem))
				require.NoError(t, q.Flush(bg))
				require.NoError(t, q.Destroy(bg))
			}, failed.option(), noGauges())
			got := failed.timeouts(t)
			require.Len(t, got, 2)
			require.Equal(t, cmwq.PhaseRunning, got[0].Phase)
			require.Equal(t, cmwq.PhaseWaiting, got[1].Phase)
		})
	}
}
