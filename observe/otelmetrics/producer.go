package otelmetrics

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// Producer produces the durations of a system's items: cmwq.queue.wait.duration and
// cmwq.queue.run.duration. It is safe for concurrent use, and a Producer of the SDK's
// package metric.
type Producer struct{ reader *reading.Reader }

// NewProducer gives a producer for readers of the SDK. A reader that has it and collects
// what Register made takes two snapshots.
func NewProducer(sys *cmwq.System, opts ...Option) *Producer {
	return &Producer{readerOf(sys, opts)}
}

// Produce gives the durations until now. Queues that measured nothing have none.
func (p *Producer) Produce(ctx context.Context) ([]metricdata.ScopeMetrics, error) {
	r, err := p.reader.Read(ctx)
	if err != nil {
		return nil, err
	}
	var out []metricdata.Metrics
	for _, m := range reading.Queues {
		if m.Times == nil {
			continue
		}
		var points []metricdata.ExponentialHistogramDataPoint[float64]
		for i := range r.Queues {
			if h := m.Times(&r.Queues[i]); h.N > 0 {
				x := point(h)
				x.Attributes, x.StartTime, x.Time = attributes(&r.Queues[i]), r.Queues[i].Since, r.At
				points = append(points, x)
			}
		}
		if points != nil {
			out = append(out, metricdata.Metrics{
				Name: m.OTel, Description: m.Help, Unit: m.Unit,
				Data: metricdata.ExponentialHistogram[float64]{DataPoints: points, Temporality: metricdata.CumulativeTemporality},
			})
		}
	}
	if out == nil {
		return nil, nil
	}
	return []metricdata.ScopeMetrics{{Scope: instrumentation.Scope{Name: Scope}, Metrics: out}}, nil
}

// point gives a histogram's buckets: index i of OpenTelemetry is above base^i, where
// Prometheus has the one below.
func point(h *reading.Histogram) metricdata.ExponentialHistogramDataPoint[float64] {
	buckets, zero := h.Exponential()
	x := metricdata.ExponentialHistogramDataPoint[float64]{
		Count: uint64(h.N), Sum: h.Sum.Seconds(), Scale: reading.Scale, ZeroCount: zero,
	}
	if len(buckets) == 0 {
		return x
	}
	at := make([]int, 0, len(buckets))
	for i := range buckets {
		at = append(at, i)
	}
	first, last := slices.Min(at), slices.Max(at)
	x.PositiveBucket.Offset = int32(first - 1)
	x.PositiveBucket.Counts = make([]uint64, last-first+1)
	for i, n := range buckets {
		x.PositiveBucket.Counts[i-first] = uint64(n)
	}
	return x
}
