package actors

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Row 43: whatever items did, nothing counts as running when all have ended.
func TestNothingRunsWhenAllIsDone(t *testing.T) {
	for _, kind := range []Kind{Managed, PerCPU, Unbound, Ordered} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			hogs := func(o *Options) { o.HogThreshold = 0 }
			bubble(t, 2, hogs, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind})
				for i := range 200 {
					require.NoError(t, q.Go(func(ctx *messages.Context) error {
						switch i % 5 {
						case 0:
							return ctx.Sleep(time.Millisecond)
						case 1:
							ctx.Block(func() { time.Sleep(time.Duration(i) * time.Microsecond) })
						case 2:
							time.Sleep(time.Duration(i) * 100 * time.Microsecond) // the later ones are hogs
						case 3:
							panic("of the test")
						}
						return nil
					}, false))
				}
				require.NoError(t, q.Flush(t.Context()))
				synctest.Wait()
				st, err := q.Stats(t.Context())
				require.NoError(t, err)
				require.Zero(t, st.Running)
				require.Zero(t, st.Active+st.Inactive)
				require.Equal(t, st.Workers, st.Idle)
				require.EqualValues(t, 200, st.Completed)
			})
		})
	}
}

// Row 47: a wake-up without a lease, and a look at an empty list.
func TestAWorkerThatIsWokenForNothing(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		for range 5 {
			require.NoError(t, q.Go(func(ctx *messages.Context) error { return ctx.Sleep(time.Millisecond) }, false))
		}
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		before, err := q.Stats(t.Context())
		require.NoError(t, err)
		require.Greater(t, before.Workers, 4)
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		for range 3 {
			for _, w := range p.workers {
				if w != nil {
					w.box.schedule()
					sys.as.Root.Send(w.pid, "nothing")
					p.mb.look()
				}
			}
			synctest.Wait()
		}
		after, err := q.Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, before, after)
		j := newJob(nil).on(t, q)
		require.NoError(t, q.Flush(t.Context()))
		require.EqualValues(t, 1, j.ran.Load())
	})
}
