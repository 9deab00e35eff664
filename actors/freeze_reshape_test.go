package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A share that a queue makes while the system freezes or thaws is what the system is
// when it has been published: the freeze, or thaw, falls between here.
func TestAShareIsBornWhileTheSystemFreezes(t *testing.T) {
	for name, frozen := range map[string]bool{"freezes": true, "thaws": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, Freezable: true})
				now := q.table.Load()
				// The steps of its actor, by hand, with shares of their own.
				q.table.Store(nil)
				a := newQueueActor(q, 8, served{pools: []*pool{now.shares[0].pool}, route: []uint16{0, 0}})
				if !frozen {
					require.NoError(t, sys.Freeze(t.Context()))
				}
				s := a.addShare(now.shares[1].pool, 1)
				if frozen {
					require.NoError(t, sys.Freeze(t.Context()))
				} else {
					sys.Thaw()
				}
				a.publish(&table{shares: []*share{a.shares[0], s}, route: []uint16{0, 1}})
				synctest.Wait()
				j := newJob(nil)
				require.NoError(t, q.QueueOn(1, &j.it, j.f, false))
				synctest.Wait()
				if frozen {
					require.Zero(t, j.ran.Load(), "it runs in a frozen system")
					sys.Thaw()
					synctest.Wait()
				}
				require.EqualValues(t, 1, j.ran.Load())
			})
		})
	}
}
