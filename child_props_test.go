package cmwq_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// What a Props is configured with holds for those that are spawned with it, and for
// no other queue.
func TestPropsOfAQueueAreConfigured(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		var got []any // of one queue's turns
		listens := actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
			return func(c actor.ReceiverContext, env *actor.MessageEnvelope) {
				got = append(got, env.Message)
				next(c, env)
			}
		})
		plain := cmwq.QueueProps(fam.System, "")
		before, err := fam.as.Root.SpawnNamed(plain, "before")
		require.NoError(t, err)
		heard, err := fam.as.Root.SpawnNamed(plain.Configure(listens), "heard")
		require.NoError(t, err)
		after, err := fam.as.Root.SpawnNamed(cmwq.QueueProps(fam.System, ""), "after")
		require.NoError(t, err)
		for _, pid := range []*actor.PID{before, heard, after} {
			answer, err := fam.as.Root.RequestFuture(pid, &messages.Flush{}, -1).Result()
			require.NoError(t, err)
			require.IsType(t, &messages.Flushed{}, answer)
		}
		flushes := 0
		for _, m := range got {
			if _, ok := m.(*messages.Flush); ok {
				flushes++
			}
		}
		require.Equal(t, 1, flushes)
		for _, name := range []string{"before", "heard", "after"} {
			require.NotNil(t, fam.Queue(name))
			require.Equal(t, name, fam.Queue(name).PID().Id)
		}
	})
}

// A queue may be told something as soon as it has an address, by who else has it.
func TestAQueueIsToldSomethingBeforeItStarts(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		ran := make(chan string, 1)
		early := actor.WithOnInit(func(ctx actor.Context) {
			ctx.Send(ctx.Self(), &messages.Go{Func: func(ctx *cmwq.Context) error {
				ran <- cmwq.CurrentQueue(ctx).Name()
				return nil
			}})
		})
		_, err := fam.as.Root.SpawnNamed(cmwq.QueueProps(fam.System, "").Configure(early), "q")
		require.NoError(t, err)
		require.Equal(t, "q", <-ran)
	})
}
