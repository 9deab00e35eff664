package cmwq_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// What waits its turn and will have it is no deadlock, in whichever way it waits.
func TestAWaitForAKeyIsNone(t *testing.T) {
	machine, _ := pods(t, fourPods)
	for name, setup := range map[string]func(t *testing.T, q *cmwq.Queue, w, other *waiter, later *cmwq.Work){
		"another runs": func(t *testing.T, q *cmwq.Queue, w, other *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("a").Queue(w.Work))
			require.NoError(t, q.Keyed("k").Queue(other.Work))
			require.NoError(t, q.Keyed("k").Queue(later))
		},
		"another slot": func(t *testing.T, q *cmwq.Queue, w, other *waiter, later *cmwq.Work) {
			require.NoError(t, q.SetMaxActive(2))
			require.NoError(t, q.Keyed("a").Queue(w.Work))
			require.NoError(t, q.Queue(other.Work))
			synctest.Wait()
			require.NoError(t, q.Keyed("k").Go(nop))
			require.NoError(t, q.Keyed("k").Queue(later))
		},
		"older pools": func(t *testing.T, q *cmwq.Queue, w, other *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("a").Queue(w.Work))
			require.NoError(t, q.Keyed("k").Queue(other.Work))
			for _, s := range scopes {
				require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(s, false)))
				require.NoError(t, q.Keyed("a").Go(nop))
				require.NoError(t, q.Keyed("k").Go(nop))
			}
			require.NoError(t, q.Keyed("k").Queue(later))
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				w, other, later := newWaiter(), newWaiter(), cmwq.NewWork(nop)
				setup(t, q, w, other, later)
				synctest.Wait()
				_, ok := w.waits(later.Flush)
				require.False(t, ok)
				require.NoError(t, q.SetMaxActive(2)) // and is not when it is looked at again
				synctest.Wait()
				_, ok = w.said()
				require.False(t, ok)
				other.end()
				require.NoError(t, <-w.done)
				w.end()
				require.NoError(t, q.Flush(bg))
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// A fixed worker's items run nowhere else: one that waits for what is behind it in the
// batch would wait for ever. What another fixed worker has it may wait for, unless
// that waits for it.
func TestAWaitForTheRestOfABatchIsADeadlock(t *testing.T) {
	for _, reshape := range []bool{false, true} {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q")
			require.NoError(t, q.Fix(2, 8))
			row := []*waiter{newWaiter(), newWaiter()}
			later := []*cmwq.Work{cmwq.NewWork(nop), cmwq.NewWork(nop)}
			gates := []*gate{newGate(), newGate()}
			for _, g := range gates { // so that what comes next is one batch
				require.NoError(t, q.Queue(g.Work))
				<-g.entered
			}
			for _, w := range row {
				require.NoError(t, q.Queue(w.Work))
			}
			for _, w := range later {
				require.NoError(t, q.Queue(w))
			}
			for _, g := range gates {
				g.open <- struct{}{}
			}
			synctest.Wait()
			if reshape {
				require.NoError(t, q.Fix(0, 0)) // they run what they have
			}
			row[0].requireStuck(t, later[0].Flush)
			_, ok := row[0].waits(later[1].Flush)
			require.False(t, ok, "the other may end")
			err, ok := row[1].waits(later[0].Flush)
			require.True(t, ok)
			require.ErrorIs(t, err, cmwq.ErrDeadlock)
			row[1].end()
			require.NoError(t, <-row[0].done)
			row[0].end()
			require.NoError(t, q.Flush(bg))
		}, noGauges())
	}
}
