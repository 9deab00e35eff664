package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A queue that has escalated hears nothing before its parent has decided. Who pauses it waits
// no longer than it wants to, and the pause begins then.
func TestPauseOfAQueueWhoseParentThinks(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q", cmwq.Supervise(supervisor.Escalate()))
		thinks, decides := make(chan struct{}), make(chan struct{})
		fam.as.Root.Send(p.pid, func(actor.Context) { close(thinks); <-decides })
		<-thinks
		require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
		synctest.Wait()
		at := since()
		paused := make(chan error, 1)
		go func() { paused <- q.Pause(soon(t)) }()
		select {
		case err := <-paused:
			require.ErrorIs(t, err, context.DeadlineExceeded)
		case <-time.After(time.Hour):
			t.Error("it waits for ever")
		}
		require.Less(t, at(), int(time.Hour/time.Millisecond))
		close(decides)
		synctest.Wait()
		require.True(t, q.Paused())
		require.NoError(t, q.Resume())
	})
}
