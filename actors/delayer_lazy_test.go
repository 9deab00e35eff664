package actors

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Items that are moved on run at their new time, and neither earlier nor twice.
func TestMovedItemsRunAtTheirNewTime(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		begin := time.Now()
		ran := make(chan time.Duration, 10)
		var it messages.Item
		f := func(*messages.Context) error { ran <- time.Since(begin); return nil }
		require.NoError(t, q.QueueAfter(time.Second, messages.AnyCPU, &it, f, false))
		for _, d := range []time.Duration{3, 2, 5, 4, 9, 7} { // later, sooner but later, ...
			was, err := q.Modify(d*time.Second, messages.AnyCPU, &it, f, false)
			require.NoError(t, err)
			require.True(t, was)
		}
		require.Equal(t, 7*time.Second, <-ran)
		time.Sleep(20 * time.Second)
		require.Empty(t, ran)

		begin = time.Now()
		require.NoError(t, q.QueueAfter(9*time.Second, messages.AnyCPU, &it, f, false))
		_, err := q.Modify(time.Second, messages.AnyCPU, &it, f, false)
		require.NoError(t, err)
		require.Equal(t, time.Second, <-ran)
		time.Sleep(20 * time.Second)
		require.Empty(t, ran)
		require.Empty(t, sys.delayer.heap)
		require.Zero(t, sys.delayer.struck)
	})
}

// A cancelled item leaves an entry behind and no more; what it was can be freed, and it
// can be armed again at once.
func TestCancelledItemsAreForgottenByTheDelayer(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		f := func(*messages.Context) error { return nil }
		arm := func(d time.Duration, it *messages.Item) {
			require.NoError(t, q.QueueAfter(d, messages.AnyCPU, it, f, false))
		}
		const n = 1000
		items := make([]*messages.Item, n)
		var was []weak.Pointer[messages.Item]
		for i := range items {
			items[i] = &messages.Item{}
			arm(time.Hour+time.Duration(i), items[i])
			was = append(was, weak.Make(items[i]))
		}
		for i := range n / 4 {
			require.True(t, Cancel(items[4*i]))
			require.False(t, Cancel(items[4*i]))
			items[4*i] = nil
		}
		runtime.GC()
		kept := 0
		for _, w := range was {
			if w.Value() != nil {
				kept++
			}
		}
		require.LessOrEqual(t, kept, n-n/4+10, "those armed, and what an idle goroutine points to")
		require.Len(t, sys.delayer.heap, n)
		for _, it := range items[n/2:] {
			if it != nil {
				require.True(t, Cancel(it))
				arm(time.Minute, it)
				require.True(t, Cancel(it))
			}
			d := sys.delayer
			live := len(d.heap) - d.struck
			require.LessOrEqual(t, len(d.heap), 2*live)
			require.EqualValues(t, live, q.gets().delayed.Load())
		}
		sys.settle() // after what was read here
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Empty(t, sys.delayer.heap)
		require.Zero(t, sys.delayer.struck)
		require.Zero(t, q.gets().delayed.Load())
	})
}

// A queue or a system that ends drops what is armed, once, whatever was struck out.
func TestDisarmBesideCancelledItems(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		a, b := newTestQueue(t, sys, "a", QueueOptions{}), newTestQueue(t, sys, "b", QueueOptions{})
		var jobs []*job
		for i := range 40 {
			j := newJob(nil)
			q := []*Queue{a, b}[i%2]
			require.NoError(t, q.QueueAfter(time.Hour, messages.AnyCPU, &j.it, j.f, false))
			jobs = append(jobs, j)
		}
		for i := range 6 {
			require.True(t, Cancel(&jobs[i].it))
		}
		require.NoError(t, a.Destroy(t.Context()))
		require.NoError(t, sys.Stop(t.Context()))
		for i, j := range jobs {
			require.Equal(t, i >= 6, j.dropped.Load() == 1, "job %d", i)
		}
	})
}
