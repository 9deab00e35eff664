package actors

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// R19: whichever pool of a change cannot be made, queues are served as before, and of
// the pools that were made for it none is left, nor a hold on one: the same change
// succeeds afterwards, and everything goes when the queues do.
func TestFailedChangeLeavesNothing(t *testing.T) {
	perCPU := func(a *policy.Attrs) { a.Scope = topology.ScopeCPU }
	for name, c := range map[string]struct {
		change func(t *testing.T, sys *System, q *Queue) error
		pools  int // that it makes
	}{
		"attributes of a queue": {func(t *testing.T, _ *System, q *Queue) error { return q.SetAttrs(t.Context(), perCPU) }, 4},
		"default scope": {func(t *testing.T, sys *System, _ *Queue) error {
			return sys.SetDefaultScope(t.Context(), topology.ScopeCPU)
		}, 8},
	} {
		for nth := range c.pools {
			t.Run(fmt.Sprint(name, "/", nth), func(t *testing.T) {
				var left atomic.Int32
				bubble(t, 4, func(o *Options) {
					o.CreateFault = func(what, _ string) error {
						if what == "pool" && left.Add(-1) == 0 {
							return errFault
						}
						return nil
					}
				}, func(t *testing.T, sys *System) {
					synctest.Wait()
					empty := count(sys)
					a := newTestQueue(t, sys, "a", QueueOptions{MemReclaim: true, HighPri: true}) // others' pools stay when they go
					b := newTestQueue(t, sys, "b", QueueOptions{Attrs: policy.Attrs{Nice: 5}})
					held, open := newHeld()
					held.on(t, a)
					<-held.entered
					synctest.Wait()
					before, table, attrs := count(sys), a.table.Load(), a.Attrs()
					for range 3 {
						left.Store(int32(nth + 1))
						err := c.change(t, sys, a)
						require.ErrorIs(t, err, messages.ErrCreate)
						require.ErrorIs(t, err, errFault)
						synctest.Wait()
						require.Equal(t, before, count(sys))
						require.Same(t, table, a.table.Load())
						require.Equal(t, attrs, a.Attrs())
					}
					left.Store(-1)
					require.NoError(t, c.change(t, sys, a))
					require.Len(t, a.table.Load().shares, 4)
					for _, q := range []*Queue{a, b} {
						j := newJob(nil).on(t, q)
						require.NoError(t, Flush(t.Context(), &j.it))
					}
					close(open)
					require.NoError(t, a.Destroy(t.Context()))
					require.NoError(t, b.Destroy(t.Context()))
					synctest.Wait()
					now := count(sys)
					now.goroutines = empty.goroutines // those of a dispatcher wait for more
					require.Equal(t, empty, now)
				})
			})
		}
	}
}
