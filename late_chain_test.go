package cmwq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// An item that keeps the queue that CurrentQueue gave it can do nothing with it once
// the queue has ended: whatever it queues there would run after Destroy said that
// nothing does.
func TestAKeptCurrentQueueEndsWithItsQueue(t *testing.T) {
	for name, fixed := range map[string]int{"shared": 0, "fixed": 2} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				if fixed > 0 {
					require.NoError(t, q.Fix(fixed, 8))
				}
				var kept *cmwq.Queue
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { kept = cmwq.CurrentQueue(ctx); return nil }))
				require.NoError(t, q.Destroy(bg))
				never := func(*cmwq.Context) error { t.Error("it runs after the end"); return nil }
				w := cmwq.NewWork(never)
				require.ErrorIs(t, kept.Queue(w), cmwq.ErrDestroyed)
				require.ErrorIs(t, kept.Go(never), cmwq.ErrDestroyed)
				require.ErrorIs(t, kept.Keyed("key").Queue(w), cmwq.ErrDestroyed)
				require.ErrorIs(t, kept.Keyed("key").Go(never), cmwq.ErrDestroyed)
				require.ErrorIs(t, kept.QueueAfter(0, w), cmwq.ErrDestroyed)
				_, err := kept.Modify(0, w)
				require.ErrorIs(t, err, cmwq.ErrDestroyed)
				_, err = kept.Keyed("key").Modify(0, w)
				require.ErrorIs(t, err, cmwq.ErrDestroyed)
				require.Equal(t, cmwq.Busy{}, w.Busy())
			})
		})
	}
}
