package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A queue that has no time to shut down, and is told to stop amid a Drain, drops what is
// armed all the same: by time, behind other work, or for another attempt.
func TestAQueueIsAbandonedAtOnceAmidADrain(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q", cmwq.Shutdown(0), cmwq.Supervise(supervisor.Retry(-1, supervisor.Constant(time.Hour))))
		other := queue(t, fam.System, "other")
		dependency, open := plainGate()
		defer close(open)
		dep := cmwq.NewWork(dependency)
		require.NoError(t, other.Queue(dep))
		running, _ := heeds()
		require.NoError(t, q.Queue(running))
		armed := cmwq.NewWork(nop)
		require.NoError(t, q.QueueAfter(time.Hour, armed))
		behind := cmwq.Submit(q.After(dep), func(*cmwq.Context) (int, error) { return 1, nil })
		again := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 1, errBroke })
		synctest.Wait()
		drained := make(chan error, 1)
		go func() { drained <- q.Drain(bg) }()
		synctest.Wait()
		p.stop()
		synctest.Wait()
		require.ErrorIs(t, <-drained, cmwq.ErrAbandoned)
		require.Equal(t, cmwq.Busy{}, armed.Busy())
		for _, fut := range []*cmwq.Future[int]{behind, again} {
			select {
			case <-fut.Done():
				_, err := fut.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrDestroyed)
			default:
				t.Error("it is never told")
			}
		}
		require.Equal(t, 3, (<-fam.abandoned).Dropped)
	})
}

// A queue whose parent stops has nobody to escalate to: the failure is reported, and the
// parent's end is not held up.
func TestAQueueThatIsStoppedDoesNotEscalate(t *testing.T) {
	var failures []error
	withActors(t, func(t *testing.T, fam *family) {
		up := func(any) actor.Directive { t.Error("asked"); return actor.EscalateDirective }
		p := &elder{as: fam.as, told: make(chan any, 100)}
		pid, err := fam.as.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return p },
			actor.WithSupervisor(actor.NewOneForOneStrategy(1, time.Hour, up))), "user")
		require.NoError(t, err)
		p.pid = pid
		q := p.child(t, fam.System, "q", cmwq.Shutdown(time.Minute), cmwq.Supervise(supervisor.Escalate()))
		gate, open := plainGate()
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { _ = gate(ctx); return errBroke }))
		synctest.Wait()
		p.stop()
		synctest.Wait()
		close(open)
		require.IsType(t, &actor.Terminated{}, p.hears())
		require.IsType(t, &actor.Stopped{}, p.hears())
		require.Len(t, failures, 1)
	}, told(&failures))
}

// A failure of the actor may meet the Stop of a parent that hears of no child any more:
// the queue ends all the same.
func TestAQueueThatIsStoppedIsNotSuspended(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q")
		w, _ := heeds()
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		at := since()
		p.stop()
		synctest.Wait()
		box, ok := fam.as.ProcessRegistry.Get(q.PID())
		require.True(t, ok)
		box.SendSystemMessage(q.PID(), &actor.SuspendMailbox{})
		for p.hears() == nil {
			require.Less(t, at(), 3600_000)
			time.Sleep(time.Second)
		}
		require.Equal(t, 5000, at())
	})
}
