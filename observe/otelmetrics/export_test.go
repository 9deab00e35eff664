package otelmetrics

import (
	"go.opentelemetry.io/otel/metric"

	"github.com/cmwq/cmwq/observe/internal/reading"
)

// RegisterOf registers whatever takes snapshots.
func RegisterOf(source reading.Source, meter metric.Meter, opts ...Option) (metric.Registration, error) {
	return register(source, meter, opts)
}

// ProducerOf is a producer of it.
func ProducerOf(source reading.Source, opts ...Option) *Producer {
	return &Producer{readerOf(source, opts)}
}
