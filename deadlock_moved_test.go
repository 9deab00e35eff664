package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// movedWait is an item that flushes a queue while another of that queue waits to be
// passed on to a new pool, where its epoch is a later one: the flush begins anew, and
// waits for it, too. The other then waits for the flusher.
type movedWait struct {
	q        *cmwq.Queue // that is flushed
	old      *gate       // holds the flush's first epoch open, on the old pool
	run      chan func(ctx *cmwq.Context) error
	flusher  *cmwq.Work
	flushed  chan error // what the flush came to
	moved    *cmwq.Work
	returned chan error // what the moved item's wait came to
}

func newMovedWait(t *testing.T, sys *cmwq.System) *movedWait {
	t.Helper()
	m := &movedWait{
		q: queue(t, sys, "flushed", cmwq.Unbound()), old: newGate(), run: make(chan func(*cmwq.Context) error, 2),
		flushed: make(chan error, 1), returned: make(chan error, 1),
	}
	m.flusher = cmwq.NewWork(func(ctx *cmwq.Context) error { m.flushed <- m.q.Flush(ctx); return nil })
	m.moved = cmwq.NewWork(func(ctx *cmwq.Context) error {
		f, err := cmwq.Await(ctx, m.run)
		if err != nil {
			return err
		}
		return f(ctx)
	})
	require.NoError(t, m.q.Queue(m.old.Work))
	require.NoError(t, m.q.Queue(m.moved))
	<-m.old.entered
	synctest.Wait()
	require.NoError(t, m.q.SetAttrs(bg, cmwq.Affinity(topology.ScopeCPU, false)))
	require.NoError(t, m.q.Queue(m.moved), "it runs: it is passed on when that has ended")
	require.NoError(t, queue(t, sys, "flusher").Queue(m.flusher))
	synctest.Wait()
	m.run <- func(*cmwq.Context) error { return nil }
	synctest.Wait()
	require.Equal(t, cmwq.Busy{Running: true}, m.moved.Busy(), "on the new pool")
	return m
}

func (m *movedWait) waits(ctx *cmwq.Context) error {
	err := m.flusher.Flush(ctx)
	m.returned <- err
	return err
}

// The ring closes when the flush has begun anew: who closes it is told.
func TestADeadlockThroughAnItemThatMoved(t *testing.T) {
	machine, _ := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		m := newMovedWait(t, sys)
		m.old.open <- struct{}{}
		synctest.Wait()
		m.run <- m.waits
		select {
		case err := <-m.returned:
			requireDeadlock(t, err, "flushed", "flusher")
			require.NoError(t, <-m.flushed)
		case <-time.After(time.Hour):
			t.Error("they wait for each other, and nobody is told")
			_, _ = m.moved.CancelWait(bg)
		}
	}, machine, noGauges())
}

// The ring is there before the flush begins anew, which closes it.
func TestADeadlockThatAFlushRunsIntoWhenItBeginsAnew(t *testing.T) {
	machine, _ := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		m := newMovedWait(t, sys)
		m.run <- m.waits
		synctest.Wait()
		require.Empty(t, m.returned, "the flush does not wait for it yet")
		m.old.open <- struct{}{}
		select {
		case err := <-m.flushed:
			requireDeadlock(t, err, "flusher", "flushed")
			require.NoError(t, <-m.returned)
		case <-time.After(time.Hour):
			t.Error("they wait for each other, and nobody is told")
			_, _ = m.moved.CancelWait(bg)
		}
	}, machine, noGauges())
}
