package metrics_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	_ "github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var bg = context.Background()

func silent() cmwq.Option { return cmwq.WithLogger(slog.New(slog.DiscardHandler)) }

func start(t testing.TB, opts ...cmwq.Option) *cmwq.System {
	t.Helper()
	sys, err := cmwq.New(append([]cmwq.Option{silent()}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sys.Stop(bg) })
	return sys
}

// quietSource sees no gauges: in virtual time the process's real ones say nothing.
type quietSource struct{ actors.Source }

func (quietSource) Gauges() policy.Gauges { return policy.Gauges{} }

func noGauges() cmwq.Option {
	return func(o *actors.Options) error { o.Source = quietSource{actors.PortableSource()}; return nil }
}

// bubble runs f in virtual time with a system of two CPUs.
func bubble(t *testing.T, f func(t *testing.T, sys *cmwq.System), opts ...cmwq.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		topo, err := topology.Uniform(1, 1, 2, 1)
		require.NoError(t, err)
		sys, err := cmwq.New(append([]cmwq.Option{cmwq.WithPortableTick(), cmwq.WithTopology(topo), silent(),
			cmwq.WithMemoryPressure(false), cmwq.WithHogThreshold(0), noGauges()}, opts...)...)
		require.NoError(t, err)
		defer time.Sleep(time.Second)
		defer func() {
			ctx, cancel := context.WithTimeout(bg, 10*time.Second)
			defer cancel()
			_ = sys.Stop(ctx)
		}()
		f(t, sys)
	})
}

func queue(t testing.TB, sys *cmwq.System, name string, opts ...cmwq.QueueOption) *cmwq.Queue {
	t.Helper()
	q, err := sys.NewQueue(name, opts...)
	require.NoError(t, err)
	return q
}

func nop(*cmwq.Context) error { return nil }

// latch gives an item that runs until it is opened, and an item's worth of proof that it
// has begun.
func latch() (f func(*cmwq.Context) error, entered chan struct{}, open func()) {
	entered, opened := make(chan struct{}, 8), make(chan struct{})
	return func(*cmwq.Context) error {
		entered <- struct{}{}
		<-opened
		return nil
	}, entered, sync.OnceFunc(func() { close(opened) })
}
