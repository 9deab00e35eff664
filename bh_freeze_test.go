package cmwq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// An item of a BH queue may not wait for a freeze either: it would hold up every BH
// item of its CPU for as long as somebody else's item runs.
func TestBHItemMayNotFreeze(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Freezable())
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		freeze := cmwq.Submit(sys.BH(), func(ctx *cmwq.Context) (error, error) { return sys.Freeze(ctx), nil })
		next := cmwq.Submit(sys.BH(), func(*cmwq.Context) (int, error) { return 1, nil })
		n, err := next.Wait(soon(t))
		require.NoError(t, err, "what is behind it starts")
		require.Equal(t, 1, n)
		err, _ = freeze.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrAtomic)
		require.False(t, sys.Frozen(), "nothing happened")
		open <- struct{}{}
	})
}
