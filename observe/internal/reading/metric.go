package reading

import "time"

// Type is how a metric may change.
type Type uint8

// The types of metrics.
const (
	Counter Type = iota // only grows
	Sum                 // of now; adding it up over queues or pools makes sense
	Gauge               // of now; it does not
	Times               // a histogram
)

func (t Type) String() string { return [...]string{"counter", "gauge", "gauge", "histogram"}[t] }

// Metric is one number of a T: of a Queue, a Pool or the System.
type Metric[T any] struct {
	Prom string // its name in Prometheus
	OTel string // and in OpenTelemetry
	Type Type
	Unit string // of UCUM, as OpenTelemetry has it
	Help string

	Value func(x *T) (v float64, ok bool) // ok: there is one
	Times func(x *T) *Histogram           // of Times
}

func count(i int) func(q *Queue) (float64, bool) {
	return func(q *Queue) (float64, bool) { return float64(q.Counts[i]), true }
}

func of[T any, N int | int64](f func(x *T) N) func(x *T) (float64, bool) {
	return func(x *T) (float64, bool) { return float64(f(x)), true }
}

// seconds is a duration.
func seconds[T any](f func(x *T) time.Duration) func(x *T) (float64, bool) {
	return func(x *T) (float64, bool) { return f(x).Seconds(), true }
}

// limit is a number of which 0 means that there is none.
func limit[T any, N int | int64](f func(x *T) N) func(x *T) (float64, bool) {
	return func(x *T) (float64, bool) { n := f(x); return float64(n), n != 0 }
}

func flag[T any](f func(x *T) bool) func(x *T) (float64, bool) {
	return func(x *T) (float64, bool) {
		if f(x) {
			return 1, true
		}
		return 0, true
	}
}
