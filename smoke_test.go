package cmwq_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t testing.TB, opts ...cmwq.Option) *cmwq.System {
	t.Helper()
	sys, err := cmwq.New(opts...)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := sys.Stop(ctx); err != nil {
			require.ErrorIs(t, err, cmwq.ErrStopped)
		}
	})
	return sys
}

func queue(t testing.TB, sys *cmwq.System, name string, opts ...cmwq.QueueOption) *cmwq.Queue {
	t.Helper()
	q, err := sys.NewQueue(name, opts...)
	require.NoError(t, err)
	return q
}

func TestSmoke(t *testing.T) {
	sys := start(t)
	for _, o := range []cmwq.QueueOption{func() cmwq.QueueOption { return cmwq.MaxActive(0) }(), cmwq.PerCPU(), cmwq.Unbound(), cmwq.Ordered()} {
		q := queue(t, sys, "q", o)
		var n atomic.Int64
		for range 10000 {
			require.NoError(t, q.Go(func(*cmwq.Context) error { n.Add(1); return nil }))
		}
		require.NoError(t, q.Flush(context.Background()))
		require.EqualValues(t, 10000, n.Load())
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { n.Add(1); return ctx.Sleep(time.Millisecond) })
		require.NoError(t, q.Queue(w))
		require.NoError(t, w.Flush(context.Background()))
		require.EqualValues(t, 10001, n.Load())
		require.NoError(t, q.Destroy(context.Background()))
		for sys.Queue("q") != nil {
		}
	}
}
