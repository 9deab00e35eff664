package cmwq_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// bubble runs f in virtual time with a system of so many CPUs, and stops the
// system: nothing may be left.
func bubble(t *testing.T, cpus int, f func(t *testing.T, sys *cmwq.System), opts ...cmwq.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		topo, err := topology.Uniform(1, 1, cpus, 1)
		require.NoError(t, err)
		opts = append([]cmwq.Option{cmwq.WithPortableTick(), cmwq.WithTopology(topo), silent(), cmwq.WithMemoryPressure(false)}, opts...)
		sys, err := cmwq.New(opts...)
		require.NoError(t, err)
		defer time.Sleep(time.Second) // a dead letter costs protoactor a goroutine for a millisecond
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Hour)
			defer cancel()
			if err := sys.Stop(ctx); err != nil && !errors.Is(err, cmwq.ErrStopped) {
				t.Error(err)
			}
			// protoactor tells a queue that has just ended by itself to stop: its
			// throttle of dead letters then keeps a goroutine for a millisecond.
			time.Sleep(2 * time.Millisecond)
		}()
		f(t, sys)
	})
}

// since gives the virtual milliseconds since now.
func since() func() int {
	t := time.Now()
	return func() int { return int(time.Since(t) / time.Millisecond) }
}

func TestBubble(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		at := since()
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) })
		require.NoError(t, q.QueueAfter(time.Second, w))
		require.Equal(t, cmwq.Busy{Pending: true}, w.Busy())
		synctest.Wait()
		time.Sleep(1005 * time.Millisecond)
		require.Equal(t, cmwq.Busy{Running: true}, w.Busy())
		require.NoError(t, q.Flush(context.Background()))
		require.Equal(t, 1010, at())
	})
}

// raise makes a at least n.
func raise(a *atomic.Int32, n int32) {
	for old := a.Load(); old < n && !a.CompareAndSwap(old, n); old = a.Load() {
	}
}
