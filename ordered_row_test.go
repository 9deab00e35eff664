package cmwq_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// Row 100: a queue that runs one item at a time need not run them in order. With
// several pods each has a list of its own, and the only slot goes round; an ordered
// queue has one list.
func TestUnboundWithMaxActiveOneIsNotOrdered(t *testing.T) {
	for name, tt := range map[string]struct {
		opts  []cmwq.QueueOption
		order []int
	}{
		"unbound": {[]cmwq.QueueOption{cmwq.Unbound(), cmwq.MaxActive(1)}, []int{1, 3, 2}},
		"ordered": {[]cmwq.QueueOption{cmwq.Ordered()}, []int{1, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				topo, err := topology.Parse("llc:2 core:1")
				require.NoError(t, err)
				sys := start(t, cmwq.WithPortableTick(), cmwq.WithTopology(topo), silent())
				q := queue(t, sys, "q", tt.opts...)
				g := newGate()
				require.NoError(t, q.QueueOn(0, g.Work))
				<-g.entered
				ran := make(chan int, 3)
				for i, cpu := range []int{1, 1, 0} {
					require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(func(*cmwq.Context) error { ran <- i + 1; return nil })))
					synctest.Wait() // two pools may ask for the slot in any order
				}
				g.open <- struct{}{}
				require.NoError(t, q.Flush(bg))
				close(ran)
				var got []int
				for i := range ran {
					got = append(got, i)
				}
				require.Equal(t, tt.order, got)
				require.NoError(t, sys.Stop(bg))
			})
		})
	}
}
