package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// What is queued through a view, or on a queue with limits, is known by its own name.
func TestNamesBehindAView(t *testing.T) {
	log := new(records)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MaxRun(time.Hour), cmwq.MaxWait(time.Hour))
		v := q.With(bg, cmwq.RunAtMost(time.Minute))
		fut := cmwq.Submit(v, func(c *cmwq.Context) (int, error) { return 0, busyItem(c) })
		require.NoError(t, v.Go(busyItem))
		require.NoError(t, q.Go(busyItem))
		require.NoError(t, v.Queue(cmwq.NewWork(anotherItem)))
		synctest.Wait()
		s := shareOf(t, sys)
		require.Contains(t, s.InFlight[0].Func, "TestNamesBehindAView")
		require.Equal(t, []messages.Run{{Func: pkg + "busyItem", N: 2}, {Func: pkg + "anotherItem", N: 1}}, s.Held)
		_, err := fut.Wait(bg)
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, pkg+"busyItem", shareOf(t, sys).InFlight[0].Func)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Equal(t, pkg+"busyItem", shareOf(t, sys).InFlight[0].Func)
		require.NoError(t, q.Flush(bg))

		hog := queue(t, sys, "hog", cmwq.PerCPU())
		require.NoError(t, hog.With(bg).Go(hogItem))
		require.NoError(t, hog.Go(anotherItem))
		require.NoError(t, hog.Flush(bg))
		synctest.Wait()
		require.Equal(t, pkg+"hogItem", log.find(hogLine)[0]["func"])
	}, cmwq.WithLogger(log.logger()), cmwq.WithHogReport(1), noGauges(), unseen(), cmwq.WithHogThreshold(10*time.Millisecond))
}

func shareOf(t *testing.T, sys *cmwq.System) messages.ShareSnapshot {
	t.Helper()
	snap, err := sys.Snapshot(bg)
	require.NoError(t, err)
	for _, q := range snap.Queues {
		if q.Name == "q" {
			require.Len(t, q.Shares, 1)
			return q.Shares[0]
		}
	}
	t.Fatal("no queue q")
	return messages.ShareSnapshot{}
}
