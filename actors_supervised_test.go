package cmwq_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A pipe tells of each attempt. A run of an actor that calls Goexit is a failure of its
// queue as any other, and is not run twice because of that.
func TestActorsAndPipesOfASupervisedQueue(t *testing.T) {
	actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(2, supervisor.Constant(time.Second))))
		got := make(chan *cmwq.Done, 10)
		pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if d, ok := c.Message().(*cmwq.Done); ok {
				got <- d
			}
		}))
		pipe := cmwq.Piped(q, pid)
		n := 0
		id, err := pipe.GoID(func(*cmwq.Context) error {
			if n++; n < 3 {
				return errNoLuck
			}
			return nil
		})
		require.NoError(t, err)
		for i := range 3 {
			d := <-got
			require.Equal(t, id, d.ID)
			require.Equal(t, i+1, d.Attempt)
			require.Equal(t, i < 2, d.Err != nil)
		}
		require.NoError(t, pipe.Go(func(*cmwq.Context) error { return errNoLuck }))
		for i := range 3 {
			d := <-got
			require.Equal(t, i+1, d.Attempt)
			require.ErrorIs(t, d.Err, errNoLuck)
		}
		time.Sleep(time.Minute)
		require.Empty(t, got, "no more after the last")

		var in, handled atomic.Int32
		exits := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if s, ok := c.Message().(string); ok {
				if in.Add(1) != 1 {
					t.Error("two at once")
				}
				time.Sleep(time.Millisecond)
				handled.Add(1)
				in.Add(-1)
				if s == "exit" {
					runtime.Goexit()
				}
			}
		}, actor.WithDispatcher(cmwq.Dispatcher(q))))
		for range 5 {
			as.Root.Send(exits, "exit")
			as.Root.Send(exits, "x")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.EqualValues(t, 10, handled.Load())
		require.NoError(t, as.Root.StopFuture(exits).Wait())
		require.NoError(t, as.Root.StopFuture(pid).Wait())
	})
}
