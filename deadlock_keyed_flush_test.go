package cmwq_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// An item queues itself on another queue, with a key, and flushes that queue.
func TestAFlushOfAQueueThatWaitsForOneselfIsADeadlock(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			machine, _ := pods(t, fourPods)
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				p, q := queue(t, sys, "p"), queue(t, sys, "q", kind)
				for _, first := range []bool{true, false} {
					w, other := newWaiter(), newWaiter()
					require.NoError(t, p.Queue(w.Work))
					if !first {
						require.NoError(t, q.Keyed("k").Queue(other.Work))
					}
					synctest.Wait()
					require.NoError(t, q.Keyed("k").Queue(w.Work))
					synctest.Wait()
					err, ok := w.waits(q.Flush)
					if !first { // its turn comes, though not yet
						require.False(t, ok)
						other.end()
						synctest.Wait()
						err, ok = w.said()
					}
					require.True(t, ok, "it waits for ever")
					requireDeadlock(t, err, "p", "q")
					w.end()
					w.end()
					require.NoError(t, q.Flush(bg))
				}
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// A queue's item that came after a flush has the slot that one of before needs, and
// waits for who flushes: it was held for its key, and stands behind.
func TestAFlushThatWaitsForALaterItemsSlotIsADeadlock(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		p, q := queue(t, sys, "p"), queue(t, sys, "q", cmwq.MaxActive(1))
		flusher, first, later := newWaiter(), newWaiter(), newWaiter()
		require.NoError(t, p.Queue(flusher.Work))
		require.NoError(t, q.Keyed("k").Queue(first.Work))
		require.NoError(t, q.Keyed("k").Go(nop))
		synctest.Wait()
		_, ok := flusher.waits(q.Flush)
		require.False(t, ok)
		require.NoError(t, q.Queue(later.Work))
		first.end() // and the next of its key comes after the later one
		synctest.Wait()
		err, ok := later.waits(flusher.Flush)
		require.True(t, ok, "they wait for each other")
		requireDeadlock(t, err, "q", "p")
		later.end()
		require.NoError(t, <-flusher.done)
		flusher.end()
	}, noGauges(), cmwq.WithHogThreshold(0))
}
