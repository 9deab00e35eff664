package actors

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// The pools of fixed workers end when their share is gone, or their queue is, and
// what comes to one of them after that is passed on.
func TestPrivatePoolsEnd(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		before := sys.pools.Load()
		q, other := newTestQueue(t, sys, "q", QueueOptions{}), newTestQueue(t, sys, "other", QueueOptions{})
		shared := sys.pools.Load()
		require.NoError(t, q.Fix(3, 10))
		require.NoError(t, other.Fix(2, 10))
		require.Equal(t, shared+5, sys.pools.Load())
		s := q.table.Load().fixed.shares[1]
		open, ran := make(chan struct{}), atomic.Int32{}
		for range 6 {
			require.NoError(t, q.Go(func(*messages.Context) error { <-open; ran.Add(1); return nil }, false))
		}
		require.NoError(t, q.Fix(0, 0))
		synctest.Wait()
		require.Equal(t, shared+5, sys.pools.Load(), "they still have items")
		close(open)
		synctest.Wait()
		require.Equal(t, shared+2, sys.pools.Load())
		require.Equal(t, freed, places.get(s.pool.id))

		late := newJob(nil)
		state, err := q.claimFor(s.pool.id, &late.it, late.f, false) // a producer that read an old table
		require.NoError(t, err)
		require.Zero(t, state&messages.Running)
		require.Equal(t, gone, newAsk(askCancel, &messages.Item{}).send(s.pool.id), "the place is no item's")
		require.False(t, s.push(&late.it))
		require.NoError(t, q.place(s, &late.it))
		require.NoError(t, q.Flush(t.Context()))
		require.Zero(t, late.it.State()&messages.Pending)

		require.NoError(t, other.Destroy(t.Context()))
		synctest.Wait()
		require.Equal(t, shared, sys.pools.Load())
		require.Greater(t, shared, before)
		require.EqualValues(t, 6, ran.Load())
	})
}

// What is listed at a pool when it is told to end is passed on, and who asks for it
// there looks again.
func TestAPrivatePoolPassesOnWhatCameLast(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		require.NoError(t, q.Fix(1, 10))
		s := q.table.Load().fixed.shares[0]
		synctest.Wait()
		s.pool.mb.status.Store(busy) // what comes is listed, and not read
		s.gone = true                // as after its release
		s.pol.Retire()
		j := newJob(nil)
		_, err := q.claimFor(s.pool.id, &j.it, j.f, false)
		require.NoError(t, err)
		require.True(t, s.push(&j.it))
		asked := make(chan verdict, 1)
		go func() { asked <- newAsk(askCancel, &j.it).send(s.pool.id) }()
		sys.freePools([]*pool{s.pool})
		synctest.Wait()
		s.pool.mb.turn(inlineTurns)
		require.Equal(t, gone, <-asked)
		require.NoError(t, Flush(t.Context(), &j.it))
		require.Zero(t, j.it.State()&messages.Pending)
		require.Zero(t, j.dropped.Load())
		synctest.Wait() // the pool ends before the system does: its share answers no drain
	})
}
