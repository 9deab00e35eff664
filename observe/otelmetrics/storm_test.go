package otelmetrics_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/observe/otelmetrics"
)

// Two readers collect beside a storm: what each is told never falls, and is exact in the
// end.
func TestCollectionsBesideAStorm(t *testing.T) {
	sys, err := cmwq.New(cmwq.WithMonitor())
	require.NoError(t, err)
	defer func() { _ = sys.Stop(bg) }()
	q, err := sys.NewQueue("q")
	require.NoError(t, err)
	readers := [2]*metric.ManualReader{}
	options := make([]metric.Option, 2)
	for i := range readers {
		readers[i] = metric.NewManualReader(metric.WithProducer(otelmetrics.NewProducer(sys)))
		options[i] = metric.WithReader(readers[i])
	}
	provider := metric.NewMeterProvider(options...)
	defer func() { _ = provider.Shutdown(bg) }()
	_, err = otelmetrics.Register(sys, provider.Meter(otelmetrics.Scope))
	require.NoError(t, err)

	n := int64(short.Rounds(20000))
	over := make(chan struct{})
	var collectors sync.WaitGroup
	for _, r := range readers {
		collectors.Go(func() {
			var lastStarted int64
			var lastRan uint64
			for last := false; ; {
				var all metricdata.ResourceMetrics
				if err := r.Collect(bg, &all); err != nil {
					t.Error(err)
					return
				}
				started, ran := counts(&all)
				if started < lastStarted || ran < lastRan {
					t.Errorf("fell: %d → %d, %d → %d", lastStarted, started, lastRan, ran)
				}
				if lastStarted, lastRan = started, ran; last {
					break
				}
				select {
				case <-over:
					last = true
				default:
				}
			}
			if lastStarted != n {
				t.Errorf("%d", lastStarted)
			}
		})
	}
	for range n {
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
	}
	require.NoError(t, q.Flush(bg))
	close(over)
	collectors.Wait()
}

// counts are how many items began, and how many of them were measured.
func counts(all *metricdata.ResourceMetrics) (started int64, ran uint64) {
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			switch m.Name {
			case "cmwq.queue.started":
				started = m.Data.(metricdata.Sum[int64]).DataPoints[0].Value
			case "cmwq.queue.run.duration":
				ran = m.Data.(metricdata.ExponentialHistogram[float64]).DataPoints[0].Count
			}
		}
	}
	return started, ran
}
