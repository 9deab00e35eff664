package actors

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// A queue's share stays with its pool while it has anything, whatever the pool
// was told, so that a stop still finds what is there.
func TestAnEndedQueuesShareStaysWhileItHasWork(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1})
		s := q.table.Load().shares[0]
		held, open := newHeld()
		held.on(t, q)
		<-held.entered
		waits := newJob(nil).on(t, q)
		q.post(s, &messages.Detach{Share: s})
		synctest.Wait()
		require.True(t, slices.Contains(s.pool.shares, s))
		require.Zero(t, waits.ran.Load())
		close(open)
		<-waits.entered
		synctest.Wait()
		require.False(t, slices.Contains(s.pool.shares, s))
	})
}

// Somebody was told that the queue takes work, and sends it when it has ended. It
// runs all the same, though its pool has no slot and nobody lends any more.
func TestWhatComesWhenItsQueueHasEndedRuns(t *testing.T) {
	pods := func(o *Options) {
		topo, err := topology.Parse("llc:4 core:1")
		require.NoError(t, err)
		o.Topology = topo
	}
	bubble(t, 1, pods, func(t *testing.T, sys *System) {
		newTestQueue(t, sys, "other", QueueOptions{}) // keeps the pools
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1})
		require.Len(t, q.table.Load().shares, 4)
		require.NoError(t, q.Destroy(t.Context()))
		synctest.Wait()
		for _, s := range q.table.Load().shares {
			first, second := newJob(nil), newJob(nil)
			for _, j := range []*job{first, second} {
				_, err := claim(&j.it, s.pool.id, 0)
				require.NoError(t, err)
				j.it.Func = j.f
				require.True(t, s.push(&j.it))
			}
			synctest.Wait()
			require.EqualValues(t, 1, first.ran.Load())
			require.EqualValues(t, 1, second.ran.Load())
			require.False(t, slices.Contains(s.pool.shares, s), "and leaves nothing behind")
		}
	})
}

// A queue that drains takes items that run, for they are its own. One that has
// ended has none.
func TestAnEndedQueueRefusesWhatRunsElsewhere(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		a, b := newTestQueue(t, sys, "a", QueueOptions{}), newTestQueue(t, sys, "b", QueueOptions{})
		held, open := newHeld()
		held.on(t, b)
		<-held.entered
		require.NoError(t, a.Destroy(t.Context()))
		for _, chained := range []bool{false, true} {
			require.ErrorIs(t, a.Queue(&held.it, held.f, chained), messages.ErrDestroyed)
			require.ErrorIs(t, a.Go(held.f, chained), messages.ErrDestroyed)
			_, err := a.Modify(0, messages.AnyCPU, &held.it, held.f, chained)
			require.ErrorIs(t, err, messages.ErrDestroyed)
		}
		close(open)
		require.NoError(t, b.Flush(t.Context()))
		require.EqualValues(t, 1, held.ran.Load())
	})
}

// Who flushes a queue while it ends is told that, and not that the system ends.
func TestFlushBesideDestroy(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		for range short.AtLeast(60, 500) {
			q := newTestQueue(t, sys, "q", QueueOptions{})
			newJob(nil).on(t, q)
			flushed := make(chan error, 8)
			for range cap(flushed) {
				go func() { flushed <- q.Flush(t.Context()) }()
			}
			require.NoError(t, q.Destroy(t.Context()))
			for range cap(flushed) {
				if err := <-flushed; err != nil && !errors.Is(err, messages.ErrDestroyed) {
					t.Fatal(err)
				}
			}
			synctest.Wait()
		}
	})
}
