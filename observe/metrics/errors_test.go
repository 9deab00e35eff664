package metrics_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
)

// A scrape that fails is told as its error, and counted; what others collect is there.
func TestScrapeError(t *testing.T) {
	world := still{err: errors.New("of the test")}
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(metrics.Of(&world), prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "other"}, func() float64 { return 1 }))
	_, err := reg.Gather()
	require.ErrorContains(t, err, "of the test")

	w := httptest.NewRecorder()
	h := promhttp.HandlerFor(reg, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), "other 1\n")
	require.Contains(t, w.Body.String(), "cmwq_snapshot_errors_total 2\n")

	world.err = nil
	_, err = reg.Gather()
	require.NoError(t, err)
}

// A system that was stopped is down, and nobody's error.
func TestStopped(t *testing.T) {
	sys := start(t)
	queue(t, sys, "q")
	c := metrics.New(sys)
	require.InDelta(t, 1, valueOf(t, c, "cmwq_up"), 0)
	require.NoError(t, sys.Stop(bg))
	compare(t, c, `
		cmwq_up 0
		cmwq_snapshot_errors_total 0
	`)
	require.NotContains(t, scrape(t, c), "name=")
}

// Names of queues are labels as they are; what is no text is replaced.
func TestHostileNames(t *testing.T) {
	sys := start(t)
	for _, name := range []string{"a\"b", "new\nline", `back\slash`, "bad\xffutf", "bad\xfeutf", "\u202egnirts", strings.Repeat("long", 3000), "(children)"} {
		queue(t, sys, name)
	}
	text := scrape(t, metrics.New(sys))
	for _, name := range []string{`a\"b`, `new\nline`, `back\\slash`, "\u202egnirts", strings.Repeat("long", 3000), "(children)"} {
		require.Contains(t, text, `workqueue_depth{name="`+name+`"} 0`+"\n")
	}
	require.Contains(t, text, `cmwq_queues{name="bad`+"\uFFFD"+`utf"} 2`+"\n", "those that look the same are summed")
}

// Queues of high priority have pools of their own, which have names of their own.
func TestHighPri(t *testing.T) {
	sys := start(t)
	for name, opts := range map[string][]cmwq.QueueOption{
		"a": {cmwq.PerCPU()}, "b": {cmwq.PerCPU(), cmwq.HighPri()}, "c": {cmwq.BH()}, "d": {cmwq.BH(), cmwq.HighPri()},
		"e": {}, "f": {cmwq.HighPri()}, "g": {cmwq.Unbound()}, "h": {cmwq.Unbound(), cmwq.HighPri()},
	} {
		queue(t, sys, name, opts...)
	}
	c := metrics.New(sys)
	text := scrape(t, c)
	for _, pool := range []string{`kind="percpu",pool="0"`, `kind="percpu",pool="0H"`, `kind="bh",pool="bh/0"`, `kind="bh",pool="bh/0H"`} {
		require.Contains(t, text, "cmwq_pool_workers{"+pool+"} ")
	}
	require.NotContains(t, text, `cmwq_queue_max_active{name="c"}`, "a BH queue has no limit")
	require.NotContains(t, text, `cmwq_pool_width{kind="unbound"`)
}
