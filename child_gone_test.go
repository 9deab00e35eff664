package cmwq_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// A queue that has ended is not found any more, however early one looks: a parent that
// hears that it has stopped itself, or who waited for Destroy.
func TestAQueueThatHasEndedIsNotFound(t *testing.T) {
	as := quietActors()
	defer as.Shutdown()
	sys, err := cmwq.Start(as, silent())
	require.NoError(t, err)
	found := make(chan *cmwq.Queue, 1)
	props := actor.PropsFromFunc(func(c actor.Context) {
		switch c.Message().(type) {
		case *actor.Started:
			_, err := sys.SpawnQueue(c, "q")
			require.NoError(t, err)
		case *actor.Stopped:
			found <- sys.Queue(c.Self().Id + "/q")
		}
	})
	for range short.AtLeast(30, 200) {
		as.Root.Poison(as.Root.Spawn(props))
		require.Nil(t, <-found)
		q := queue(t, sys, "q")
		require.NoError(t, q.Destroy(bg))
		require.Nil(t, sys.Queue("q"))
	}
	require.NoError(t, sys.Stop(bg))
}

// What a parent does in *actor.Started it may do again after each restart: the queue has
// ended with the restart, and its name is free.
func TestARestartedParentMakesItsQueueAnew(t *testing.T) {
	as := quietActors()
	defer as.Shutdown()
	sys, err := cmwq.Start(as, silent())
	require.NoError(t, err)
	made := make(chan error, 1)
	always := actor.NewOneForOneStrategy(1000, time.Hour, func(any) actor.Directive { return actor.RestartDirective })
	pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		switch m := c.Message().(type) {
		case *actor.Started:
			q, err := sys.SpawnQueue(c, "q", cmwq.Ordered())
			if err == nil {
				err = q.Go(func(*cmwq.Context) error { return nil })
			}
			made <- err
		case fails:
			panic(m)
		}
	}, actor.WithGuardian(always)))
	for range 200 {
		require.NoError(t, <-made)
		as.Root.Send(pid, fails{})
	}
	require.NoError(t, <-made)
	require.NoError(t, as.Root.StopFuture(pid).Wait())
	require.NoError(t, sys.Stop(bg))
}
