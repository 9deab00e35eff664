package cmwq_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// Whether an item was in time is found once, when its function has returned: what its
// future says is what its queue counts, however long it takes to tell who waits.
func TestInTimeIsInTime(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxRun(time.Millisecond), cmwq.Supervise(supervisor.Retry(1, supervisor.Backoff{})))
		as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
		defer as.Shutdown()
		heard := make(chan error, 2)
		slow := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if m, ok := c.Message().(*cmwq.Result[int]); ok {
				time.Sleep(2 * time.Millisecond) // on the worker's goroutine
				heard <- m.Err
			}
		}, actor.WithDispatcher(actor.NewSynchronizedDispatcher(300))))
		calls := 0
		open := make(chan struct{})
		fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { <-open; calls++; return 1, nil })
		cmwq.PipeTo(as.Root, fut, slow)
		close(open)
		require.NoError(t, <-heard)
		require.NoError(t, q.Flush(bg))
		time.Sleep(time.Second)
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, 1, calls)
		require.Zero(t, st.RanOut+st.Failed+st.Retried)
	})
}
