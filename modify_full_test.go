package cmwq_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Two modify an item at once, and the queue has room for it: whoever comes second finds it
// pending, and not a queue that the item itself has filled.
func TestAnItemIsNotRefusedForTheRoomThatItHas(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "small", cmwq.Bounded(1, cmwq.Refuse))
	w := cmwq.NewWork(nop)
	for range short.Rounds(20000) {
		var wg sync.WaitGroup
		var errs [2]error
		for i := range errs {
			wg.Go(func() { _, errs[i] = q.Modify(time.Hour, w) })
		}
		wg.Wait()
		require.NoError(t, errs[0])
		require.NoError(t, errs[1])
		require.True(t, w.Cancel())
	}
}
