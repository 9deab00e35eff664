package cmwq_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// What waits in a lease behind an item that has the only slot waits for a slot.
func TestItemsThatRideInALeaseAreInactive(t *testing.T) {
	keyed := func(q *cmwq.Queue) cmwq.Queuer { return q.Keyed("k") }
	plain := func(q *cmwq.Queue) cmwq.Queuer { return q }
	for name, tt := range map[string]struct {
		kind cmwq.QueueOption
		to   func(*cmwq.Queue) cmwq.Queuer
	}{
		"ordered": {cmwq.Ordered(), plain}, "max_active": {cmwq.MaxActive(1), plain}, "keyed": {cmwq.MaxActive(8), keyed},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", tt.kind)
				to := tt.to(q)
				for range 3 { // known to be short from now on
					require.NoError(t, to.Queue(cmwq.NewWork(anotherItem)))
					require.NoError(t, q.Flush(bg))
				}
				first, entered, open := latch()
				require.NoError(t, to.Queue(first))
				<-entered
				hold, in, out := latch()
				require.NoError(t, to.Queue(hold))
				for range 5 {
					require.NoError(t, to.Queue(cmwq.NewWork(anotherItem)))
				}
				open <- struct{}{}
				<-in
				st := sameStats(t, sys, q)
				require.Equal(t, [3]int64{1, 1, 5}, [3]int64{st.InFlight, int64(st.Active), int64(st.Inactive)})
				snap, err := sys.Snapshot(bg)
				require.NoError(t, err)
				for _, x := range snap.Queues {
					if x.Name == "q" {
						require.Equal(t, 5, x.Shares[0].Inactive)
						require.Len(t, x.Shares[0].InFlight[0].Scheduled, 1, "they are in its lease")
					}
				}
				out <- struct{}{}
				require.NoError(t, q.Flush(bg))
				time.Sleep(time.Millisecond)
				require.Zero(t, sameStats(t, sys, q).Inactive)
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}
