package cmwq_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	_ "github.com/cmwq/cmwq/internal/short"
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
