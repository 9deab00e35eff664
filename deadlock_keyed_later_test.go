package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// No way round is open when the wait begins but one, and that closes later.
func TestAWaitForAKeyThatComesToBeADeadlock(t *testing.T) {
	for name, tt := range map[string]struct {
		limit int
		setup func(t *testing.T, q *cmwq.Queue, w *waiter)
		close func(t *testing.T, sys *cmwq.System, q *cmwq.Queue, first *waiter)
	}{
		"limit": {2, nil, func(t *testing.T, _ *cmwq.System, q *cmwq.Queue, _ *waiter) { require.NoError(t, q.SetMaxActive(1)) }},
		"thaw":  {2, func(t *testing.T, q *cmwq.Queue, _ *waiter) { require.NoError(t, q.SetMaxActive(1)) }, func(_ *testing.T, sys *cmwq.System, _ *cmwq.Queue, _ *waiter) { sys.Thaw() }},
		// The item is in the middle of the key's others, too.
		"itself": {3, func(t *testing.T, q *cmwq.Queue, w *waiter) { require.NoError(t, q.Keyed("k").Queue(w.Work)) },
			func(_ *testing.T, _ *cmwq.System, _ *cmwq.Queue, first *waiter) { first.end() }},
	} {
		for kind, opt := range reshapedKinds {
			if kind == "ordered" {
				continue
			}
			t.Run(name+"/"+kind, func(t *testing.T) {
				machine, cpus := pods(t, fourPods)
				for _, on := range short.Some(cpus) { // whichever pool the item is on, and the key
					bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
						q := queue(t, sys, "q", opt, cmwq.MaxActive(tt.limit), cmwq.Freezable())
						w, first, later := newWaiter(), newWaiter(), cmwq.NewWork(nop)
						require.NoError(t, q.Keyed("k").Queue(first.Work))
						require.NoError(t, q.QueueOn(on, w.Work))
						synctest.Wait()
						require.True(t, w.Busy().Running)
						if name == "thaw" {
							require.Error(t, sys.Freeze(soon(t)))
						}
						if tt.setup != nil {
							tt.setup(t, q, w)
						}
						require.NoError(t, q.Keyed("k").Queue(later))
						synctest.Wait()
						_, ok := w.waits(later.Flush)
						require.False(t, ok, "it may end")
						time.Sleep(time.Second)
						_, ok = w.said()
						require.False(t, ok, "it may end")
						tt.close(t, sys, q, first)
						synctest.Wait()
						err, ok := w.said()
						require.True(t, ok, "it never will, and nobody says so")
						requireDeadlock(t, err, "q", "q")
						w.end()
						if name == "itself" {
							w.end()
						} else {
							first.end()
						}
						require.NoError(t, q.Flush(bg))
					}, machine, noGauges(), cmwq.WithHogThreshold(0))
				}
			})
		}
	}
}

// A slot is with an item that runs elsewhere, by way of another queue, when the limit is
// lowered to what is used up.
func TestALimitIsLoweredToASlotThatIsAbroad(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		p, q := queue(t, sys, "p", cmwq.PerCPU()), queue(t, sys, "q", cmwq.MaxActive(2))
		w, first, later := newWaiter(), newWaiter(), cmwq.NewWork(nop)
		require.NoError(t, p.Queue(w.Work))
		require.NoError(t, q.Keyed("k").Queue(first.Work))
		synctest.Wait()
		require.NoError(t, q.Keyed("own").Queue(w.Work))
		require.NoError(t, q.Keyed("k").Queue(later))
		_, ok := w.waits(later.Flush)
		require.False(t, ok, "the first of the key may end, and leave its slot")
		require.NoError(t, q.SetMaxActive(1))
		synctest.Wait()
		err, ok := w.said()
		require.True(t, ok, "it never will have a slot, and nobody says so")
		requireDeadlock(t, err, "p", "q")
		first.end()
		w.end()
		w.end()
		require.NoError(t, q.Flush(bg))
	}, noGauges(), cmwq.WithHogThreshold(0))
}
