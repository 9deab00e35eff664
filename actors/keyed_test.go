package actors

import (
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// A key that has nothing waiting is forgotten, and its memory with it: a million
// keys that all wait at once leave no map and no chain behind.
func TestAMillionKeysLeaveNothing(t *testing.T) {
	keys := 1 << 20
	if invariants.Enabled { // they make it slow
		keys = 1 << 17
	}
	keys = short.AtLeast(1<<14, keys) // what else the heap does is little beside them
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1})
		before := heapInUse()
		open, ran := make(chan struct{}), 0
		require.NoError(t, q.Go(func(*messages.Context) error { <-open; return nil }, false))
		f := func(*messages.Context) error { ran++; return nil }
		for i := range keys {
			require.NoError(t, q.Keyed(i).Go(f, false))
		}
		during := heapInUse()
		require.Greater(t, during-before, int64(keys*100), "they all wait")
		close(open)
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		require.Equal(t, keys, ran)
		require.Empty(t, q.table.Load().shares[0].has().keys.chains)
		require.Less(t, heapInUse()-before, (during-before)/10, "of %d MB", (during-before)>>20)
	})
}

// Nor does a key that runs keep those that ran before.
func TestKeysShrinkBesideOneThatStays(t *testing.T) {
	keys := short.AtLeast(1<<12, 1<<14)
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		open := make(chan struct{})
		require.NoError(t, q.Keyed("stays").Go(func(ctx *messages.Context) error { ctx.Block(func() { <-open }); return nil }, false))
		for i := range keys {
			require.NoError(t, q.Keyed(i).Go(func(*messages.Context) error { return nil }, false))
		}
		synctest.Wait()
		require.Len(t, q.table.Load().shares[0].has().keys.chains, 1)
		require.Less(t, q.table.Load().shares[0].has().keys.most, 1100)
		close(open)
		require.NoError(t, q.Flush(t.Context()))
	})
}

func heapInUse() int64 {
	for range 3 { // items are kept for two cycles
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A key has one share, and keys are spread over the shares.
func TestKeysAreSpread(t *testing.T) {
	bubble(t, 4, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		n := map[*share]int{}
		for i := range 4000 {
			s := q.Keyed(i).lane(q.table.Load()).share
			require.Same(t, s, q.Keyed(i).lane(q.table.Load()).share)
			n[s]++
		}
		require.Len(t, n, 4)
		for _, k := range n {
			require.Greater(t, k, 800)
		}
	})
}
