package cmwq_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// Pools that a queue gets while the system freezes are frozen, and those that it gets
// while it thaws are not.
func TestAReshapedQueueIsFrozenAsTheSystemIs(t *testing.T) {
	topo, err := topology.Parse("llc:4 core:1")
	require.NoError(t, err)
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound(), cmwq.Freezable())
		other := queue(t, sys, "other", cmwq.Unbound())
		var ran atomic.Int32
		var works [4]*cmwq.Work
		for i := range works {
			works[i] = cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
		}
		for n := range short.Rounds(300) {
			q, reshape := q, make(chan error, 1)
			change := func() { reshape <- q.SetAttrs(bg, cmwq.Nice(n%20)) }
			go change()
			if n%3 > 0 { // a message to the system's actor, which may come first
				_ = other.SetMaxActive(n + 1)
			}
			require.NoError(t, sys.Freeze(soon(t)))
			require.NoError(t, <-reshape)
			synctest.Wait()
			ran.Store(0)
			for cpu, w := range works {
				require.NoError(t, q.QueueOn(cpu, w))
			}
			synctest.Wait()
			require.Zero(t, ran.Load(), "round %d: it ran while the system was frozen", n)
			go change()
			sys.Thaw()
			require.NoError(t, <-reshape)
			require.NoError(t, q.Flush(soon(t)), "round %d: it stayed frozen", n)
			require.EqualValues(t, 4, ran.Load())
		}
	}, cmwq.WithTopology(topo))
}
