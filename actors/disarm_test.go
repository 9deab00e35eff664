package actors

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// A queue that is destroyed goes on with its other messages while the delayer has yet
// to drop what is armed, but does not end before: not even if it was drained already.
func TestAQueueDoesNotWaitForTheDelayerInAHandler(t *testing.T) {
	for name, drained := range map[string]bool{"destroyed": false, "drained and destroyed": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{})
				held, open := newHeld()
				held.on(t, q)
				<-held.entered
				armed := newJob(nil)
				require.NoError(t, q.QueueAfter(time.Hour, messages.AnyCPU, &armed.it, armed.f, false))
				var ended, answered atomic.Bool
				if drained {
					go func() { _ = q.Drain(t.Context()) }()
					synctest.Wait()
				}
				d := &sys.delayer.mb
				require.True(t, d.status.CompareAndSwap(idle, busy), "nobody else runs its turn")
				go func() { ended.Store(q.Destroy(t.Context()) == nil) }()
				synctest.Wait()
				go func() { answered.Store(q.SetMaxActive(3) == nil) }()
				synctest.Wait()
				before := answered.Load()
				close(open)
				synctest.Wait()
				early := ended.Load()
				d.turn(1 << 30) // as the mailbox goes on
				synctest.Wait()
				require.True(t, before, "the queue's actor waits for the delayer")
				require.False(t, early, "it ended with an armed item")
				require.True(t, ended.Load())
				require.EqualValues(t, 1, armed.dropped.Load())
				require.ErrorIs(t, *armed.why.Load(), messages.ErrDestroyed)
			})
		})
	}
}
