package cmwq_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// A snapshot that has a queue at its end has its numbers, or has it not.
func TestSnapshotOfAQueueThatEnds(t *testing.T) {
	sys := start(t, silent())
	for i := range 200 {
		name := fmt.Sprint("q", i)
		q := queue(t, sys, name, cmwq.MemReclaim()) // its rescuer ends before it
		require.NoError(t, q.Go(nop))
		require.NoError(t, q.Flush(bg))
		var end sync.WaitGroup
		end.Go(func() {
			if err := q.Destroy(bg); err != nil {
				t.Error(err)
			}
		})
		for sys.Queue(name) != nil {
			snap, err := sys.Snapshot(bg)
			require.NoError(t, err)
			for j := range snap.Queues {
				if x := &snap.Queues[j]; x.Name == name {
					require.EqualValues(t, 1, x.Stats.Total, "of queue %d: %+v", i, x)
				}
			}
		}
		end.Wait()
	}
}
