// Package otelmetrics shows a system to OpenTelemetry.
//
//	registration, err := otelmetrics.Register(sys, provider.Meter(otelmetrics.Scope))
//
// makes observable instruments, and one callback for all: each collection takes one
// snapshot, below a millisecond with a thousand queues, without a lock. A snapshot that
// fails is the callback's error, and counted by cmwq.snapshot.errors. After Stop of the
// system cmwq.up is 0, and nothing else is told; Unregister ends that, too.
//
// Durations are histograms, and OpenTelemetry has no observable ones. They come from a
// producer, which is given to a reader of the SDK:
//
//	reader := metric.NewPeriodicReader(exporter, metric.WithProducer(otelmetrics.NewProducer(sys)))
//
// They are exponential, of scale 3 (buckets 9 % wide), cumulative, and measured with
// cmwq.WithMonitor alone.
//
// # Names
//
// Metrics of queues begin with cmwq.queue. and have the attributes cmwq.queue.name and
// cmwq.queue.kind; those of pools begin with cmwq.pool. and have cmwq.pool.name and
// cmwq.pool.kind. What only grows is a counter, what may be added up over queues or pools
// an up-down counter, and the rest gauges. docs/observe.md lists all.
//
// Child queues are summed, by default, under the name (children): see GroupBy. What a queue
// did between the last collection and its end is not told.
package otelmetrics
