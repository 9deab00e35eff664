package otelmetrics

import (
	"go.opentelemetry.io/otel/metric"

	"github.com/cmwq/cmwq/observe/internal/reading"
)

// teller tells an observer a value of an instrument.
type teller func(to metric.Observer, v float64, attrs []metric.ObserveOption)

// maker makes instruments until it fails.
type maker struct {
	meter metric.Meter
	all   []metric.Observable
	err   error
}

// instruments makes those of the metrics: nil of a histogram.
func instruments[T any](m *maker, all []reading.Metric[T]) []teller {
	out := make([]teller, len(all))
	for i, x := range all {
		switch {
		case x.Value == nil || m.err != nil:
		case x.Unit == "s":
			out[i] = m.seconds(x.OTel, x.Type, x.Help)
		default:
			out[i] = m.number(x.OTel, x.Type, x.Unit, x.Help)
		}
	}
	return out
}

func (m *maker) seconds(name string, kind reading.Type, help string) teller {
	unit, text := metric.WithUnit("s"), metric.WithDescription(help)
	var x metric.Float64Observable
	switch kind {
	case reading.Counter:
		x, m.err = m.meter.Float64ObservableCounter(name, unit, text)
	case reading.Sum:
		x, m.err = m.meter.Float64ObservableUpDownCounter(name, unit, text)
	default:
		x, m.err = m.meter.Float64ObservableGauge(name, unit, text)
	}
	m.all = append(m.all, x)
	return func(to metric.Observer, v float64, attrs []metric.ObserveOption) { to.ObserveFloat64(x, v, attrs...) }
}

func (m *maker) number(name string, kind reading.Type, unitName, help string) teller {
	unit, text := metric.WithUnit(unitName), metric.WithDescription(help)
	var x metric.Int64Observable
	switch kind {
	case reading.Counter:
		x, m.err = m.meter.Int64ObservableCounter(name, unit, text)
	case reading.Sum:
		x, m.err = m.meter.Int64ObservableUpDownCounter(name, unit, text)
	default:
		x, m.err = m.meter.Int64ObservableGauge(name, unit, text)
	}
	m.all = append(m.all, x)
	return func(to metric.Observer, v float64, attrs []metric.ObserveOption) {
		to.ObserveInt64(x, int64(v), attrs...)
	}
}
