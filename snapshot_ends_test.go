package cmwq_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// A snapshot that has a queue at its end has its numbers, or has it not.
func TestSnapshotOfAQueueThatEnds(t *testing.T) {
	sys := start(t, silent())
	for i := range short.Rounds(200) {
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

// A queue that was abandoned, and still runs something, has not forgotten the rest.
func TestSnapshotOfAnAbandonedQueue(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		sys := fam.System
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.Shutdown(0))
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(nop)))
		require.NoError(t, q.Flush(bg))
		hold, entered, open := latch()
		require.NoError(t, q.QueueOn(1, hold))
		<-entered
		before := sameStats(t, sys, q)
		require.EqualValues(t, 2, before.Total)
		fam.as.Root.Stop(q.PID())
		synctest.Wait()
		after := snapshotOf(t, sys, "q").Stats
		require.Equal(t, before, after)
		open <- struct{}{}
	}, noGauges(), cmwq.WithHogThreshold(0))
}
