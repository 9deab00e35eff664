package otelmetrics

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// Scope is the name of the instrumentation: what a meter is asked for by, and what
// durations come under.
const Scope = "github.com/cmwq/cmwq/observe/otelmetrics"

// Register makes the instruments of a system with a meter. They are observed until the
// Registration is told to Unregister. Errors are the meter's.
func Register(sys *cmwq.System, meter metric.Meter, opts ...Option) (metric.Registration, error) {
	return register(sys, meter, opts)
}

func register(source reading.Source, meter metric.Meter, opts []Option) (metric.Registration, error) {
	m := maker{meter: meter}
	reader := readerOf(source, opts)
	queues := instruments(&m, reading.Queues)
	pools := instruments(&m, reading.Pools)
	whole := instruments(&m, reading.Whole)
	if m.err != nil {
		return nil, m.err
	}
	return meter.RegisterCallback(func(ctx context.Context, to metric.Observer) error {
		r, err := reader.Read(ctx)
		if err != nil {
			last := len(whole) - 1 // how many errors there were
			observe(to, whole[last:], reading.Whole[last:], &r.System)
			return err
		}
		observe(to, whole, reading.Whole, &r.System)
		for i := range r.Queues {
			observe(to, queues, reading.Queues, &r.Queues[i], ofQueue(&r.Queues[i]))
		}
		for i := range r.Pools {
			p := &r.Pools[i]
			observe(to, pools, reading.Pools, p, metric.WithAttributes(
				attribute.String("cmwq.pool.name", p.Name), attribute.String("cmwq.pool.kind", p.Kind)))
		}
		return nil
	}, m.all...)
}

func ofQueue(q *reading.Queue) metric.ObserveOption {
	return metric.WithAttributeSet(attributes(q))
}

func attributes(q *reading.Queue) attribute.Set {
	return attribute.NewSet(attribute.String("cmwq.queue.name", q.Name), attribute.String("cmwq.queue.kind", q.Kind))
}

// observe tells the values that x has.
func observe[T any](to metric.Observer, tell []teller, all []reading.Metric[T], x *T, attrs ...metric.ObserveOption) {
	for i, m := range all {
		if tell[i] == nil {
			continue
		}
		if v, ok := m.Value(x); ok {
			tell[i](to, v, attrs)
		}
	}
}
