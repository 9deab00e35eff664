package metrics_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
	"github.com/cmwq/cmwq/supervisor"
)

// load has a queue with an item in flight for three seconds, two behind it on the
// worklist, one inactive, one armed, one cancelled, and two failures behind it.
func load(t *testing.T, sys *cmwq.System) (open func()) {
	q := queue(t, sys, "thumbs", cmwq.PerCPU(), cmwq.MaxActive(3),
		cmwq.Supervise(supervisor.Retry(1, supervisor.Constant(250*time.Millisecond))))
	require.NoError(t, q.Go(func(*cmwq.Context) error { return errors.New("of the test") }))
	time.Sleep(500 * time.Millisecond) // it failed twice
	f, entered, open := latch()
	require.NoError(t, q.QueueOn(0, cmwq.NewWork(f)))
	<-entered
	for range 3 {
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(nop)))
	}
	w := cmwq.NewWork(nop)
	require.NoError(t, q.QueueAfter(time.Hour, w))
	require.True(t, w.Cancel())
	require.NoError(t, q.QueueAfter(time.Hour, w))
	time.Sleep(500 * time.Millisecond)
	synctest.Wait()
	return open
}

func TestNumbers(t *testing.T) {
	bubble(t, func(t *testing.T, sys *cmwq.System) {
		open := load(t, sys)
		defer open()
		c := metrics.New(sys)
		compare(t, c, `
			workqueue_depth{name="thumbs"} 3
			workqueue_adds_total{name="thumbs"} 6
			workqueue_unfinished_work_seconds{name="thumbs"} 0.5
			workqueue_longest_running_processor_seconds{name="thumbs"} 0.5
			workqueue_retries_total{name="thumbs"} 1
			cmwq_queue_started_total{name="thumbs"} 3
			cmwq_queue_in_flight{name="thumbs"} 1
			cmwq_queue_active{name="thumbs"} 3
			cmwq_queue_inactive{name="thumbs"} 1
			cmwq_queue_max_active{name="thumbs"} 6
			cmwq_queue_delayed{name="thumbs"} 1
			cmwq_queue_failed_total{name="thumbs"} 1
			cmwq_queue_cancelled_total{name="thumbs"} 1
			cmwq_queue_dropped_total{name="thumbs"} 0
			cmwq_queue_info{kind="percpu",name="thumbs"} 1
			cmwq_queues{name="thumbs"} 1
			cmwq_queues_held{name="thumbs"} 0
			cmwq_pool_waiting{kind="percpu",pool="0"} 2
			cmwq_pool_waiting{kind="percpu",pool="1"} 0
			cmwq_pool_workers_running{kind="percpu",pool="0"} 1
			cmwq_pool_workers_running{kind="percpu",pool="1"} 0
			cmwq_pool_width{kind="percpu",pool="0"} 1
			cmwq_pool_width{kind="percpu",pool="1"} 1
			cmwq_up 1
			cmwq_frozen 0
			cmwq_uptime_seconds 1
			cmwq_snapshot_errors_total 0
		`)
		require.InDelta(t, 0.5, valueOf(t, c, `cmwq_pool_hung_seconds{kind="percpu",pool="0"}`), 0.001)
		open()
		synctest.Wait()
		compare(t, c, `
			workqueue_depth{name="thumbs"} 0
			workqueue_adds_total{name="thumbs"} 6
			cmwq_queue_started_total{name="thumbs"} 6
			cmwq_queue_cpu_seconds_total{name="thumbs"} 0.5
			cmwq_pool_hung_seconds{kind="percpu",pool="0"} 0
			cmwq_pool_hung_seconds{kind="percpu",pool="1"} 0
		`)
	})
}

// compare requires that the metrics that are named have these values, and no others.
func compare(t *testing.T, c prometheus.Collector, want string) {
	t.Helper()
	var lines []string
	named := map[string]bool{}
	for l := range strings.Lines(want) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
			named[metricOf(l)] = true
		}
	}
	var have []string
	for l := range strings.Lines(scrape(t, c)) {
		if l = strings.TrimSpace(l); named[metricOf(l)] {
			have = append(have, l)
		}
	}
	require.ElementsMatch(t, lines, have)
}

// valueOf is what a series has.
func valueOf(t testing.TB, c prometheus.Collector, series string) float64 {
	t.Helper()
	for l := range strings.Lines(scrape(t, c)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(l), series+" "); ok {
			x, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err)
			return x
		}
	}
	require.Fail(t, "no such series", series)
	return 0
}

// metricOf is the name of the metric that a line of the text format is about.
func metricOf(line string) string { return line[:strings.IndexAny(line+" ", "{ ")] }

// scrape gives what a server that scrapes the collector gets, as text.
func scrape(t testing.TB, c prometheus.Collector) string {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	require.NoError(t, reg.Register(c))
	w := httptest.NewRecorder()
	promhttp.HandlerFor(reg, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	return w.Body.String()
}

func TestLint(t *testing.T) {
	bubble(t, func(t *testing.T, sys *cmwq.System) {
		defer load(t, sys)()
		problems, err := testutil.CollectAndLint(metrics.New(sys))
		require.NoError(t, err)
		require.Empty(t, problems)
	})
}

// With a monitor there are durations, which are those of the items.
func TestDurationsOfItems(t *testing.T) {
	bubble(t, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		for range 3 { // wait 0, 1, 2 s
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }))
		}
		require.NoError(t, q.Flush(bg))
		c := metrics.New(sys, metrics.ClassicBuckets(0.9, 1.1, 2.1))
		compare(t, c, `
			workqueue_work_duration_seconds_bucket{name="q",le="0.9"} 0
			workqueue_work_duration_seconds_bucket{name="q",le="1.1"} 3
			workqueue_work_duration_seconds_bucket{name="q",le="2.1"} 3
			workqueue_work_duration_seconds_bucket{name="q",le="+Inf"} 3
			workqueue_work_duration_seconds_sum{name="q"} 3
			workqueue_work_duration_seconds_count{name="q"} 3
			workqueue_queue_duration_seconds_bucket{name="q",le="0.9"} 1
			workqueue_queue_duration_seconds_bucket{name="q",le="1.1"} 2
			workqueue_queue_duration_seconds_bucket{name="q",le="2.1"} 3
			workqueue_queue_duration_seconds_bucket{name="q",le="+Inf"} 3
			workqueue_queue_duration_seconds_sum{name="q"} 3
			workqueue_queue_duration_seconds_count{name="q"} 3
		`)
		h := gather(t, c, "workqueue_queue_duration_seconds")[0].GetHistogram()
		require.EqualValues(t, 1, h.GetZeroCount())
		require.InEpsilon(t, 2*time.Second, quantile(h, 1), 0.13)
	}, cmwq.WithMonitor())
}
