package cmwq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/supervisor"
)

// Who hears of a dead letter may queue it anew in the same instant: it is not pending
// for a moment longer.
func TestDeadLettersMayBeRequeuedAtOnce(t *testing.T) {
	as := quietActors()
	defer as.Shutdown()
	sys, err := cmwq.Start(as, silent())
	require.NoError(t, err)
	dead := make(chan uint64, 10)
	as.EventStream.Subscribe(func(e any) {
		if d, ok := e.(*messages.DeadLettered); ok {
			dead <- d.ID
		}
	})
	q := queue(t, sys, "q", cmwq.Supervise(supervisor.DeadLetter(10)))
	const letters = 4 // the delayer has to do with several at once
	for range letters {
		require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
	}
	for range 500 {
		n, err := q.Requeue(<-dead)
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
	for range letters {
		<-dead
	}
	require.NoError(t, sys.Stop(bg))
}
