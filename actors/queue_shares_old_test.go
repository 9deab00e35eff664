package actors

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Row 102: what was queued before a change runs on the old pool, and what comes
// later elsewhere at the same time; the old share goes when it is empty.
func TestOldItemsFinishOnTheOldPool(t *testing.T) {
	bubble(t, 4, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1 << 10})
		s := newShaper(t, sys, q)
		old := q.table.Load().shares[0].pool
		var names sync.Map
		mark := func(key string) func(*messages.Context) error {
			return func(ctx *messages.Context) error { names.Store(key, ctx.Worker()); return nil }
		}
		gates := make([]chan struct{}, 5)
		for i := range gates { // all CPUs of the old pool are busy
			j, open := newHeld()
			gates[i] = open
			j.on(t, q)
			<-j.entered
		}
		block := make(chan struct{})
		for range 8 {
			require.NoError(t, q.Go(func(*messages.Context) error { <-block; return nil }, false))
		}
		var before messages.Item
		require.NoError(t, q.Queue(&before, mark("before"), false))
		s.pools = s.pools[:1]
		require.NoError(t, s.shape(1))
		require.Len(t, q.table.Load().old, 1)
		var after messages.Item
		require.NoError(t, q.Queue(&after, mark("after"), false))
		synctest.Wait()
		name, _ := names.Load("after")
		require.Contains(t, name, s.pools[0].name+":", "it does not wait for the old pool")
		_, ran := names.Load("before")
		require.False(t, ran)
		close(block)
		for _, open := range gates {
			close(open)
		}
		require.NoError(t, q.Flush(t.Context()))
		name, _ = names.Load("before")
		require.Contains(t, name, old.name+":")
		synctest.Wait()
		require.Empty(t, q.table.Load().old, "empty shares go")
	})
}

// Report R6: several items wait for an ordered queue's new pool; all of them run
// when the old one is empty, and none before.
func TestOrderedPoolIsPluggedUntilTheOldOneIsEmpty(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Ordered})
		s := newShaper(t, sys, q)
		gate, open := newHeld()
		gate.on(t, q)
		<-gate.entered
		var got []int
		add := func(i int) {
			require.NoError(t, q.Go(func(*messages.Context) error { got = append(got, i); return nil }, false))
		}
		for i := range 9 {
			if i%3 == 0 {
				require.NoError(t, s.shape(1))
			}
			add(i)
		}
		synctest.Wait()
		require.Empty(t, got)
		close(open)
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, got)
	})
}

// The limit holds over the present and the retired pools together, and all of it
// can be used when they are gone.
func TestMaxActiveWhilePoolsChange(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, MaxActive: 7})
		s := newShaper(t, sys, q)
		var in, most atomic.Int32
		work := func(ctx *messages.Context) error {
			if n := in.Add(1); n > most.Load() {
				most.Store(n)
			}
			err := ctx.Sleep(time.Millisecond)
			in.Add(-1)
			return err
		}
		for range 50 {
			for range 12 {
				require.NoError(t, q.Go(work, false))
			}
			require.NoError(t, s.shape(1+rand.IntN(4)))
			synctest.Wait()
			require.EqualValues(t, 7, in.Load(), "all slots are in use")
			time.Sleep(1500 * time.Microsecond)
		}
		require.NoError(t, q.Flush(t.Context()))
		require.EqualValues(t, 7, most.Load())
	})
}
