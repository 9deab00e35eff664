package cmwq_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// startActors starts a quiet actor system with a system in it, and ends both.
func startActors(t testing.TB, opts ...cmwq.Option) (*actor.ActorSystem, *cmwq.System) {
	t.Helper()
	as := quietActors()
	sys, err := cmwq.Start(as, opts...)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := sys.Stop(ctx); err != nil {
			require.ErrorIs(t, err, cmwq.ErrStopped)
		}
		as.Shutdown()
	})
	return as, sys
}

func quietActors() *actor.ActorSystem {
	quiet := slog.New(slog.DiscardHandler)
	return actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond))
}

// do runs f as an item, and waits for it.
func do(t testing.TB, q *cmwq.Queue, f func(ctx *cmwq.Context) error) error {
	t.Helper()
	_, err := cmwq.Submit(q, func(ctx *cmwq.Context) (struct{}, error) { return struct{}{}, f(ctx) }).Wait(bg)
	return err
}

// spawn gives an actor that handles messages with f.
func spawn(t testing.TB, as *actor.ActorSystem, f func(c actor.Context), opts ...actor.PropsOption) *actor.PID {
	t.Helper()
	pid := as.Root.Spawn(actor.PropsFromFunc(f, opts...))
	t.Cleanup(func() { as.Root.Stop(pid) })
	return pid
}

// actorBubble is bubble with an actor system of its own.
func actorBubble(t *testing.T, cpus int, f func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System), opts ...cmwq.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		topo, err := topology.Uniform(1, 1, cpus, 1)
		require.NoError(t, err)
		as := quietActors()
		sys, err := cmwq.Start(as, append([]cmwq.Option{cmwq.WithPortableTick(), cmwq.WithTopology(topo), silent(), cmwq.WithMemoryPressure(false)}, opts...)...)
		require.NoError(t, err)
		defer time.Sleep(time.Second) // a dead letter costs protoactor a goroutine for a millisecond
		defer as.Shutdown()
		defer func() {
			if err := sys.Stop(bg); err != nil {
				require.ErrorIs(t, err, cmwq.ErrStopped)
			}
		}()
		f(t, as, sys)
	})
}
