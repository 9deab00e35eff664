package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// What had its turn too late is told so once it is not to have another.
func TestPipeOfWhatIsLateAndRetried(t *testing.T) {
	for name, c := range map[string]struct {
		strategy supervisor.Strategy
		calls    int
		err      error
	}{
		"retried":    {supervisor.Retry(1, supervisor.Constant(10*time.Second)), 1, nil},
		"given up":   {supervisor.Drop(), 0, cmwq.ErrGivenUp},
		"used up":    {supervisor.Retry(0, supervisor.Backoff{}), 0, context.DeadlineExceeded},
		"no retries": {nil, 0, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			withActors(t, func(t *testing.T, fam *family) {
				p := fam.asker(t)
				opts := []cmwq.QueueOption{cmwq.Ordered(), cmwq.MaxWait(time.Second)}
				if c.strategy != nil {
					opts = append(opts, cmwq.Supervise(c.strategy))
				}
				q := p.child(t, fam.System, "q", opts...)
				require.NoError(t, q.Go(pauses(5*time.Second)))
				calls := 0
				require.NoError(t, cmwq.Piped(q, p.pid).Go(func(*cmwq.Context) error { calls++; return nil }))
				time.Sleep(time.Minute)
				synctest.Wait()
				require.Equal(t, c.calls, calls)
				done := p.hears().(*cmwq.Done)
				require.Equal(t, c.calls, done.Attempt)
				require.ErrorIs(t, done.Err, c.err)
				require.Nil(t, p.hears(), "once")
			}, told(new([]error)))
		})
	}
}
