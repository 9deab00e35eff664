package metrics_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
	"github.com/cmwq/cmwq/supervisor"
)

// Beside a storm of all that may become of items no counter falls, and when it is over
// the sums are exact: what was accepted has begun, or was taken back, or dropped.
func TestScrapesBesideAStorm(t *testing.T) {
	sys := start(t)
	c := metrics.New(sys)
	var queues []*cmwq.Queue
	for i, opts := range [][]cmwq.QueueOption{
		{}, {cmwq.PerCPU(), cmwq.MaxActive(2)}, {cmwq.Unbound()}, {cmwq.Ordered()},
		{cmwq.Supervise(supervisor.Retry(3, supervisor.Constant(0)))}, {cmwq.MaxWait(time.Microsecond)},
	} {
		queues = append(queues, queue(t, sys, fmt.Sprint("q", i), opts...))
	}
	stop := make(chan struct{})
	var scrapers sync.WaitGroup
	for range 2 {
		scrapers.Go(func() {
			last := map[string]float64{}
			for {
				reg := prometheus.NewPedanticRegistry()
				reg.MustRegister(c)
				all, err := reg.Gather()
				if err != nil {
					t.Error(err)
					return
				}
				for _, f := range all {
					for _, m := range f.GetMetric() {
						v, id := m.GetCounter().GetValue(), f.GetName()
						for _, l := range m.GetLabel() {
							id += " " + l.GetValue()
						}
						if v < last[id] {
							t.Errorf("%s fell from %v to %v", id, last[id], v)
						}
						last[id] = v
					}
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	var storm sync.WaitGroup
	accepted := make([]int64, len(queues))
	for i, q := range queues {
		storm.Go(func() {
			fails := func(ctx *cmwq.Context) error {
				if ctx.Attempt() < 2 {
					return errors.New("of the test")
				}
				return nil
			}
			for n := range 500 {
				w := cmwq.NewWork(nop)
				var err error
				switch n % 5 {
				case 0:
					err = q.QueueAfter(time.Millisecond, w)
				case 1:
					if err = q.Queue(w); err == nil {
						w.Cancel()
					}
				case 2:
					err = q.Go(fails)
				case 3:
					cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, nil })
				default:
					err = q.Queue(w)
				}
				if err == nil {
					accepted[i]++
				}
			}
		})
	}
	storm.Wait()
	for _, q := range queues {
		require.Eventually(t, func() bool {
			st, err := q.Stats(bg)
			return err == nil && st.Active+st.Inactive+st.Delayed == 0
		}, 20*time.Second, 5*time.Millisecond)
	}
	close(stop)
	scrapers.Wait()
	for i, q := range queues {
		st, err := q.Stats(bg)
		require.NoError(t, err)
		name := fmt.Sprintf("{name=%q}", q.Name())
		require.Equal(t, accepted[i]+st.Retried, st.Total+st.Lapsed+st.Cancelled+st.Dropped, name)
		adds := int64(valueOf(t, c, "workqueue_adds_total"+name))
		require.Equal(t, st.Queued, adds, name)
		require.GreaterOrEqual(t, adds, st.Total, name)
		require.LessOrEqual(t, adds, accepted[i]+st.Retried, name) // one that was taken back on its way did not come
		require.InDelta(t, st.Total, valueOf(t, c, "cmwq_queue_started_total"+name), 0, name)
		require.InDelta(t, st.Cancelled, valueOf(t, c, "cmwq_queue_cancelled_total"+name), 0, name)
	}
}
