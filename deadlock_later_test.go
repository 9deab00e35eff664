package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// A wait that could end when it began may come to be one that never ends, though
// nobody begins to wait: what it waits for loses its way to a slot.
func TestAWaitThatComesToBeADeadlockIsRefusedThen(t *testing.T) {
	for name, tt := range map[string]struct {
		limit int
		after func(t *testing.T, sys *cmwq.System, q *cmwq.Queue, gates []*gate)
	}{
		// The item is queued again while it runs. Its next run gets the slot that comes
		// free, and must wait for this one.
		"slot":  {2, func(_ *testing.T, _ *cmwq.System, _ *cmwq.Queue, gates []*gate) { gates[0].open <- struct{}{} }},
		"limit": {3, func(t *testing.T, _ *cmwq.System, q *cmwq.Queue, _ []*gate) { require.NoError(t, q.SetMaxActive(1)) }},
		"thaw":  {1, func(_ *testing.T, sys *cmwq.System, _ *cmwq.Queue, _ []*gate) { sys.Thaw() }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Freezable(), cmwq.PerCPU(), cmwq.MaxActive(tt.limit))
				var gates []*gate
				for len(gates) < tt.limit-1 {
					g := newGate()
					gates = append(gates, g)
					require.NoError(t, q.QueueOn(0, g.Work))
					<-g.entered
				}
				begin, got := make(chan struct{}), make(chan error, 2)
				runs := 0
				later := cmwq.NewWork(func(*cmwq.Context) error { return nil })
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					if runs++; runs > 1 {
						return nil
					}
					ctx.Block(func() { <-begin })
					got <- later.Flush(ctx)
					return nil
				})
				require.NoError(t, q.QueueOn(0, w))
				synctest.Wait()
				if name == "thaw" {
					require.Error(t, sys.Freeze(soon(t)), "it runs")
				}
				if name == "slot" {
					require.NoError(t, q.QueueOn(0, w))
				}
				require.NoError(t, q.QueueOn(0, later))
				close(begin)
				time.Sleep(time.Second)
				require.Empty(t, got, "it may end")
				tt.after(t, sys, q, gates)
				synctest.Wait()
				require.Len(t, got, 1, "it never will, and nobody says so")
				requireDeadlock(t, <-got, "q", "q")
				for _, g := range gates {
					g.open <- struct{}{}
				}
				require.NoError(t, q.Flush(bg))
			}, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}
