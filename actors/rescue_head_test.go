package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Items that a worker gives back come to the worklist's head, in front of a cursor;
// and a worker may take the cursor's item with a lease. Neither is missed.
func TestCursorAndTheListsHead(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		plain := newTestQueue(t, sys, "plain", QueueOptions{Kind: Unbound})
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, MemReclaim: true})
		wait := func() (*job, chan struct{}) { // it does not say that it waits: it counts
			open := make(chan struct{})
			return newJob(func(*messages.Context) error { <-open; return nil }), open
		}
		for range 3 {
			newJob(nil).on(t, q) // q's items are known to be short
			require.NoError(t, q.Flush(t.Context()))
		}
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		f.on.Store(true)
		var opens []chan struct{}
		var gates []*job
		for range p.pol.Workers() - 1 { // all but one sleep
			j, open := newHeld()
			gates, opens = append(gates, j.on(t, plain)), append(opens, open)
			<-gates[len(gates)-1].entered
		}
		gate, open := wait()
		gate.on(t, plain)
		<-gate.entered // nobody is idle, and nobody comes
		first, firstOpen := wait()
		first.on(t, q)
		rest := []*job{newJob(nil), newJob(nil), newJob(nil), newJob(nil)}
		for _, j := range rest[:3] {
			j.on(t, q)
		}
		foreign, foreignOpen := wait()
		foreign.on(t, plain)
		held, heldOpen := newHeld()
		held.on(t, q)
		time.Sleep(9900 * time.Microsecond)
		close(open) // the worker takes a lease of q's, and is in its first item
		<-first.entered
		taken, end := p.workers[first.it.State().Worker()].lease.Progress()
		require.Equal(t, []int{1, 4}, []int{taken, end})
		time.Sleep(150 * time.Microsecond)
		synctest.Wait() // the rescuer sleeps in held; it has passed by foreign
		require.EqualValues(t, 1, held.ran.Load())
		require.Same(t, &foreign.it, q.table.Load().shares[0].has().cursor)
		require.False(t, Cancel(&rest[3].it)) // it is idle: but any question takes leases back
		rest[3].on(t, q)
		require.True(t, Cancel(&rest[3].it))
		synctest.Wait()
		require.Same(t, &rest[0].it, p.list.first, "what the worker gave back")
		require.Nil(t, q.table.Load().shares[0].has().cursor)
		close(heldOpen) // the rescuer comes back for it
		synctest.Wait()
		require.EqualValues(t, 1, rest[0].ran.Load())
		require.EqualValues(t, 1, rest[1].ran.Load())

		newJob(nil).on(t, q)
		again, againOpen := newHeld()
		again.on(t, q)
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		require.Same(t, &foreign.it, q.table.Load().shares[0].has().cursor)
		close(firstOpen)
		<-foreign.entered
		require.Nil(t, q.table.Load().shares[0].has().cursor, "a worker has taken the cursor's item")
		close(foreignOpen)
		close(againOpen)
		require.NoError(t, q.Flush(t.Context()))
		f.on.Store(false)
		for _, o := range opens {
			close(o)
		}
	})
}
