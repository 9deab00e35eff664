package cmwq_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
)

// An item that a rescuer runs, and that another queue's pool runs at the same time,
// is pending once more where the rescuer is: to cancel it waits for nobody, as where
// a worker is.
func TestCancelOfAnItemThatARescuerRunsToo(t *testing.T) {
	var famine atomic.Bool
	fault := func(o *actors.Options) error {
		o.CreateFault = func(what, name string) error {
			if what == "worker" && famine.Load() && strings.HasPrefix(name, "kworker/0:") {
				return errNoMemory
			}
			return nil
		}
		return nil
	}
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		plain := queue(t, sys, "plain", cmwq.PerCPU())
		synctest.Wait() // the pool has its first worker
		famine.Store(true)
		g := newGate()
		require.NoError(t, plain.Queue(g.Work))
		<-g.entered

		rescued, unbound := queue(t, sys, "rescued", cmwq.PerCPU(), cmwq.MemReclaim()), queue(t, sys, "unbound", cmwq.Unbound())
		entered, open := make(chan bool, 3), make(chan struct{})
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			entered <- ctx.IsRescuer()
			ctx.Block(func() { <-open })
			return nil
		})
		require.NoError(t, rescued.Queue(w))
		require.True(t, <-entered)
		require.NoError(t, unbound.Queue(w))
		require.False(t, <-entered)
		require.NoError(t, rescued.Queue(w))
		at := since()
		done := make(chan bool, 1)
		go func() { done <- w.Cancel() }()
		time.Sleep(100 * time.Millisecond)
		select {
		case was := <-done:
			require.True(t, was)
		default:
			t.Error("Cancel waits for an execution")
		}
		require.Equal(t, 100, at())
		famine.Store(false)
		close(open)
		close(g.open)
		require.NoError(t, w.Flush(bg))
	}, fault, noGauges())
}
