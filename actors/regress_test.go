package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Once: an item whose QueueAfter passed the check of the flags just before a
// Destroy is armed after the queue disarmed, and stays pending until it is due.
func TestArmAfterDestroyIsReported(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		j := newJob(nil)
		_, err := claim(&j.it, sys.delayer.id, messages.Delayed) // QueueAfter, up to here
		require.NoError(t, err)
		j.it.Func = j.f
		require.NoError(t, q.Destroy(t.Context()))
		_ = q.arm(int64(sys.now()+time.Hour), messages.AnyCPU, &j.it, &q.home) // and on
		synctest.Wait()
		require.Zero(t, j.it.State()&messages.Pending)
		require.EqualValues(t, 1, j.dropped.Load())
	})
}

// Once: what Stop disarms is reported as destroyed.
func TestStopSaysStoppedOfArmedItems(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		armed := newJob(nil)
		require.NoError(t, q.QueueAfter(time.Hour, messages.AnyCPU, &armed.it, armed.f, false))
		require.NoError(t, sys.Stop(t.Context()))
		require.ErrorIs(t, *armed.why.Load(), messages.ErrStopped)
	})
}

// Once: one pool's stop cancels the contexts of the items of all pools; those that
// have not stopped yet start others in the place of what ends.
func TestForcedStopStartsNothing(t *testing.T) {
	for range 20 {
		bubble(t, 4, nil, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
			var waiting []*job
			for cpu := range 4 {
				r := untilTold()
				require.NoError(t, q.QueueOn(cpu, &r.it, r.f, false))
				<-r.entered
				for range 3 {
					j := newJob(nil)
					require.NoError(t, q.QueueOn(cpu, &j.it, j.f, false))
					waiting = append(waiting, j)
				}
			}
			_ = stopNow(t, sys)
			for _, j := range waiting {
				require.Zero(t, j.ran.Load(), "it started after the Stop gave up")
			}
		})
	}
}

// Once: a burst leaves a goroutine a worker, though the workers were culled.
func TestCulledWorkersLeaveNoGoroutines(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		for range 200 {
			require.NoError(t, q.Go(func(ctx *messages.Context) error { return ctx.Sleep(time.Second) }, false))
		}
		require.NoError(t, q.Flush(t.Context()))
		time.Sleep(1000 * time.Second)
		synctest.Wait()
		all, _ := workers(t, q)
		require.Equal(t, 2, all)
		_, live := sys.disp.counts()
		require.Less(t, live, 20)
	})
}
