package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// gated is an item whose runs wait for a gate each.
type gated struct {
	it    messages.Item
	gates []chan struct{}
	in    atomic.Int32
	runs  atomic.Int32
}

func newGated() *gated {
	return &gated{gates: []chan struct{}{make(chan struct{}), make(chan struct{})}}
}

func (w *gated) run(*messages.Context) error {
	w.in.Add(1)
	<-w.gates[w.runs.Load()]
	w.runs.Add(1)
	w.in.Add(-1)
	return nil
}

// An item that is queued while it runs on a retired pool waits until that run has
// ended, and runs on another pool then. Who flushes the queue or the item meanwhile
// waits for the second run, though the other pool had nothing when they began.
func TestItemIsPassedOnAfterItsRun(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, HighPri: true})
		w := newGated()
		require.NoError(t, q.Queue(&w.it, w.run, false))
		synctest.Wait()
		old := w.it.State().Runner()
		require.NoError(t, newShaper(t, sys, q).shape(1))
		require.NoError(t, q.Queue(&w.it, w.run, false))
		synctest.Wait()
		require.EqualValues(t, 1, w.in.Load(), "never twice at once")
		require.Equal(t, old, w.it.State().Place())

		var queueDone, itemDone atomic.Bool
		go func() { queueDone.Store(q.Flush(t.Context()) == nil) }()
		go func() { itemDone.Store(Flush(t.Context(), &w.it) == nil) }()
		synctest.Wait()
		close(w.gates[0])
		synctest.Wait()
		require.EqualValues(t, 1, w.runs.Load())
		require.EqualValues(t, 1, w.in.Load(), "it runs again")
		require.NotEqual(t, old, w.it.State().Runner(), "elsewhere")
		require.False(t, queueDone.Load(), "the queue's flush waits for what was passed on")
		require.False(t, itemDone.Load(), "and the item's")
		close(w.gates[1])
		synctest.Wait()
		require.True(t, queueDone.Load())
		require.True(t, itemDone.Load())
		require.Empty(t, q.table.Load().old)
	})
}

// It can be cancelled while it waits to be passed on.
func TestPassingItemIsCancelled(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, HighPri: true})
		w := newGated()
		require.NoError(t, q.Queue(&w.it, w.run, false))
		synctest.Wait()
		require.NoError(t, newShaper(t, sys, q).shape(1))
		require.NoError(t, q.Queue(&w.it, w.run, false))
		require.True(t, Cancel(&w.it))
		close(w.gates[0])
		require.NoError(t, q.Flush(t.Context()))
		require.EqualValues(t, 1, w.runs.Load())
	})
}

// A producer that read the table before a change returns when its item is where it
// belongs, though the old pool looks at its list only now and then.
func TestLateProducerWaitsUntilItsItemIsPassedOn(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		stale := q.table.Load()
		s := stale.shares[0]
		block := make(chan struct{})
		for range 3 { // more than the pool's width: it is quiet
			require.NoError(t, q.QueueOn(0, &messages.Item{}, func(*messages.Context) error { <-block; return nil }, false))
		}
		require.NoError(t, newShaper(t, sys, q).shape(1))
		synctest.Wait()
		require.Equal(t, quiet, s.pool.mb.status.Load())
		gate := make(chan struct{})
		var late messages.Item
		require.NoError(t, q.queueOn(stale, s, messages.AnyCPU, &late, func(*messages.Context) error { <-gate; return nil }, false))
		require.Equal(t, q.table.Load().shares[0].pool.id, late.State().Place())
		close(gate)
		close(block)
		require.NoError(t, q.Flush(t.Context()))
	})
}

// What reaches a pool that has ended goes to the pool that serves the queue now.
func TestLateProducerOfAPoolThatEnded(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, HighPri: true})
		stale := q.table.Load()
		require.NoError(t, newShaper(t, sys, q).shape(1))
		synctest.Wait()
		require.True(t, stale.shares[0].pool.ended, "nobody else used it")
		require.Equal(t, freed, places.get(stale.shares[0].pool.id))
		j := newJob(nil)
		require.NoError(t, q.queueOn(stale, stale.shares[0], messages.AnyCPU, &j.it, j.f, false))
		require.NoError(t, q.Flush(t.Context()))
		require.EqualValues(t, 1, j.ran.Load())
	})
}

// Row 101: the number of a pool is not given out again while an item names it,
// also one that goes on after a forced stop.
func TestNumberOfAPoolIsHeldByItsItems(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		p := q.table.Load().shares[0].pool
		w := newGated()
		require.NoError(t, q.Queue(&w.it, w.run, false))
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.Error(t, sys.Stop(ctx))
		require.Same(t, p, places.get(p.id))
		close(w.gates[0])
		synctest.Wait()
		require.Nil(t, places.get(p.id))
	})
}
