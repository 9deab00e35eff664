package otelmetrics_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/otelmetrics"
)

// Instruments of a meter, and a producer of durations for its reader.
func Example() {
	ctx := context.Background()
	sys, err := cmwq.New(cmwq.WithMonitor())
	if err != nil {
		panic(err)
	}
	defer func() { _ = sys.Stop(ctx) }()
	q, err := sys.NewQueue("thumbnails")
	if err != nil {
		panic(err)
	}
	_ = q.Go(func(*cmwq.Context) error { return nil })
	_ = q.Flush(ctx)

	// A periodic reader with an exporter, as a rule.
	reader := metric.NewManualReader(metric.WithProducer(otelmetrics.NewProducer(sys)))
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	defer func() { _ = provider.Shutdown(ctx) }()
	registration, err := otelmetrics.Register(sys, provider.Meter(otelmetrics.Scope))
	if err != nil {
		panic(err)
	}
	defer func() { _ = registration.Unregister() }()

	var all metricdata.ResourceMetrics
	_ = reader.Collect(ctx, &all)
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch x := m.Data.(type) {
			case metricdata.Sum[int64]:
				if m.Name == "cmwq.queue.started" {
					fmt.Println(m.Name, x.DataPoints[0].Value)
				}
			case metricdata.ExponentialHistogram[float64]:
				fmt.Println(m.Name, x.DataPoints[0].Count)
			}
		}
	}
	// Output:
	// cmwq.queue.started 1
	// cmwq.queue.wait.duration 1
	// cmwq.queue.run.duration 1
}
