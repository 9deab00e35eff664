package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// A caller that gives up at once has begun a Drain or Destroy all the same: the queue
// takes nothing more from that moment, not from when its actor comes to it.
func TestAQueueRefusesFromTheCallOn(t *testing.T) {
	over, cancel := context.WithCancel(bg)
	cancel()
	none := func(*cmwq.Context) error { return nil }
	for range short.Rounds(50) {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			drained, destroyed := queue(t, sys, "drained"), queue(t, sys, "destroyed")
			hold, entered, open := latch()
			require.NoError(t, drained.Queue(hold))
			<-entered
			require.ErrorIs(t, drained.Drain(over), context.Canceled)
			require.ErrorIs(t, drained.Go(none), cmwq.ErrDraining)
			_ = destroyed.Destroy(over) // it may have ended at once
			require.ErrorIs(t, destroyed.Go(none), cmwq.ErrDestroyed)
			require.ErrorIs(t, destroyed.Destroy(bg), cmwq.ErrDestroyed)
			open <- struct{}{}
			synctest.Wait()
			require.NoError(t, drained.Go(none), "the drain is over")
			require.Nil(t, sys.Queue("destroyed"))
		})
	}
}
