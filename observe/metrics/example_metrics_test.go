package metrics_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
)

// What a Prometheus server gets.
func Example() {
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer func() { _ = sys.Stop(context.Background()) }()
	q, err := sys.NewQueue("thumbnails", cmwq.MaxActive(4))
	if err != nil {
		panic(err)
	}
	for range 3 {
		_ = q.Go(func(*cmwq.Context) error { return nil })
	}
	_ = q.Flush(context.Background())

	reg := prometheus.NewRegistry()
	reg.MustRegister(metrics.New(sys))
	server := httptest.NewServer(promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	defer server.Close()

	resp, err := http.Get(server.URL)
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "thumbnails") && strings.HasPrefix(line, "workqueue_") {
			fmt.Print(line)
		}
	}
	// Output:
	// workqueue_adds_total{name="thumbnails"} 3
	// workqueue_depth{name="thumbnails"} 0
	// workqueue_longest_running_processor_seconds{name="thumbnails"} 0
	// workqueue_retries_total{name="thumbnails"} 0
	// workqueue_unfinished_work_seconds{name="thumbnails"} 0
}

// Many actors of a kind, each with a queue: one series tells of all.
func ExampleGroupBy() {
	bySibling := metrics.GroupBy(metrics.SumBySibling)
	noTemporary := metrics.GroupBy(func(q *cmwq.QueueSnapshot) string {
		if strings.HasPrefix(q.Name, "tmp-") {
			return ""
		}
		return metrics.SumChildren(q)
	})
	_, _ = bySibling, noTemporary // metrics.New(sys, bySibling)

	inbox := &cmwq.QueueSnapshot{Name: "users/17/inbox", Child: true}
	fmt.Println(metrics.SumBySibling(inbox), metrics.SumByParent(inbox), metrics.SumChildren(inbox))
	// Output: */inbox users/17/* (children)
}
