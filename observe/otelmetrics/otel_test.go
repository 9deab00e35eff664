package otelmetrics_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	_ "github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/observe/internal/reading"
	"github.com/cmwq/cmwq/observe/otelmetrics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var bg = context.Background()

// still is a source of one snapshot, or of an error.
type still struct {
	snap cmwq.Snapshot
	err  error
}

func (s *still) Snapshot(context.Context) (*cmwq.Snapshot, error) { return &s.snap, s.err }

func busy() *still {
	ofQueue := cmwq.QueueSnapshot{
		Name: "q", Kind: "percpu", Shares: []cmwq.ShareSnapshot{{InFlight: []cmwq.InFlight{{For: 3 * time.Second}}}},
		Stats: cmwq.Stats{Total: 7, CPUTime: 1500 * time.Millisecond, InFlight: 1, Active: 3, Inactive: 2, MaxActive: 3},
		Wait: cmwq.Distribution{N: 5, Sum: 5 * time.Millisecond, Buckets: []cmwq.Bucket{
			{From: 0, To: 1, N: 1}, {From: 980 * time.Microsecond, To: 1020 * time.Microsecond, N: 3}, {From: 1900 * time.Microsecond, To: 2100 * time.Microsecond, N: 1},
		}},
	}
	s := &still{snap: cmwq.Snapshot{
		At:     time.Unix(1000, 0),
		Queues: []cmwq.QueueSnapshot{ofQueue},
		Pools:  []cmwq.PoolSnapshot{{Name: "0", Kind: "percpu", Refs: 1, Workers: 2, Idle: []string{"0:1"}, Width: 1, Waiting: 2, Hung: time.Second}},
	}}
	s.snap.Uptime = 10 * time.Second
	return s
}

// collect gives what a reader reads, by name.
func collect(t *testing.T, r metric.Reader) (map[string]metricdata.Metrics, error) {
	t.Helper()
	var all metricdata.ResourceMetrics
	err := r.Collect(bg, &all)
	m := map[string]metricdata.Metrics{}
	for _, s := range all.ScopeMetrics {
		require.Equal(t, otelmetrics.Scope, s.Scope.Name)
		for _, x := range s.Metrics {
			require.NotContains(t, m, x.Name)
			m[x.Name] = x
		}
	}
	return m, err
}

func setUp(t *testing.T, source *still) *metric.ManualReader {
	t.Helper()
	r := metric.NewManualReader(metric.WithProducer(otelmetrics.ProducerOf(source)))
	provider := metric.NewMeterProvider(metric.WithReader(r))
	t.Cleanup(func() { _ = provider.Shutdown(bg) })
	_, err := otelmetrics.RegisterOf(source, provider.Meter(otelmetrics.Scope))
	require.NoError(t, err)
	return r
}

func TestNumbers(t *testing.T) {
	m, err := collect(t, setUp(t, busy()))
	require.NoError(t, err)
	queue := attribute.NewSet(attribute.String("cmwq.queue.name", "q"), attribute.String("cmwq.queue.kind", "percpu"))
	pool := attribute.NewSet(attribute.String("cmwq.pool.name", "0"), attribute.String("cmwq.pool.kind", "percpu"))

	depth := m["cmwq.queue.depth"].Data.(metricdata.Sum[int64])
	require.False(t, depth.IsMonotonic)
	require.Equal(t, "{item}", m["cmwq.queue.depth"].Unit)
	require.EqualValues(t, 4, depth.DataPoints[0].Value)
	require.Equal(t, queue, depth.DataPoints[0].Attributes)

	started := m["cmwq.queue.started"].Data.(metricdata.Sum[int64])
	require.True(t, started.IsMonotonic)
	require.EqualValues(t, 7, started.DataPoints[0].Value)

	cpu := m["cmwq.queue.cpu.time"].Data.(metricdata.Sum[float64])
	require.Equal(t, "s", m["cmwq.queue.cpu.time"].Unit)
	require.InDelta(t, 1.5, cpu.DataPoints[0].Value, 0)

	longest := m["cmwq.queue.longest_running"].Data.(metricdata.Gauge[float64])
	require.InDelta(t, 3, longest.DataPoints[0].Value, 0)

	hung := m["cmwq.pool.hung"].Data.(metricdata.Gauge[float64])
	require.InDelta(t, 1, hung.DataPoints[0].Value, 0)
	require.Equal(t, pool, hung.DataPoints[0].Attributes)
}

// Every metric there is is told, with its text; durations by the producer.
func TestAllAreTold(t *testing.T) {
	source := busy()
	source.snap.Queues[0].Run = source.snap.Queues[0].Wait
	m, err := collect(t, setUp(t, source))
	require.NoError(t, err)
	want := map[string]string{}
	for _, x := range reading.Queues {
		want[x.OTel] = x.Help
	}
	for _, x := range reading.Pools {
		want[x.OTel] = x.Help
	}
	for _, x := range reading.Whole {
		want[x.OTel] = x.Help
	}
	got := map[string]string{}
	for name, x := range m {
		got[name] = x.Description
	}
	require.Equal(t, want, got)
}

func TestDurations(t *testing.T) {
	m, err := collect(t, setUp(t, busy()))
	require.NoError(t, err)
	require.NotContains(t, m, "cmwq.queue.run.duration", "nothing was measured")
	h := m["cmwq.queue.wait.duration"].Data.(metricdata.ExponentialHistogram[float64])
	require.Equal(t, metricdata.CumulativeTemporality, h.Temporality)
	p := h.DataPoints[0]
	require.EqualValues(t, 5, p.Count)
	require.EqualValues(t, 1, p.ZeroCount)
	require.InDelta(t, 0.005, p.Sum, 1e-9)
	require.Equal(t, time.Unix(990, 0), p.StartTime)
	base := math.Exp2(math.Exp2(-float64(p.Scale)))
	got := map[float64]uint64{}
	for i, n := range p.PositiveBucket.Counts {
		low := math.Pow(base, float64(int(p.PositiveBucket.Offset)+i))
		for _, v := range []float64{0.001, 0.002} { // above its lower bound, and at most its upper one
			if v > low && v <= low*base {
				got[v] += n
			}
		}
	}
	require.Equal(t, map[float64]uint64{0.001: 3, 0.002: 1}, got)
}

// A snapshot that fails is the collection's error, and counted.
func TestError(t *testing.T) {
	source := busy()
	r := setUp(t, source)
	source.err = errors.New("of the test")
	m, err := collect(t, r)
	require.ErrorIs(t, err, source.err)
	require.NotContains(t, m, "cmwq.queue.depth")
	require.EqualValues(t, 1, m["cmwq.snapshot.errors"].Data.(metricdata.Sum[int64]).DataPoints[0].Value)
	source.err = nil
	m, err = collect(t, r)
	require.NoError(t, err)
	require.Contains(t, m, "cmwq.queue.depth")
}

// A real system, until it stops.
func TestSystem(t *testing.T) {
	sys, err := cmwq.New()
	require.NoError(t, err)
	defer func() { _ = sys.Stop(bg) }()
	q, err := sys.NewQueue("q")
	require.NoError(t, err)
	r := metric.NewManualReader(metric.WithProducer(otelmetrics.NewProducer(sys)))
	provider := metric.NewMeterProvider(metric.WithReader(r))
	defer func() { _ = provider.Shutdown(bg) }()
	registration, err := otelmetrics.Register(sys, provider.Meter(otelmetrics.Scope), otelmetrics.TimeLimit(time.Minute))
	require.NoError(t, err)
	started := func() int64 {
		m, err := collect(t, r)
		require.NoError(t, err)
		return m["cmwq.queue.started"].Data.(metricdata.Sum[int64]).DataPoints[0].Value
	}
	for i := range int64(3) {
		require.Equal(t, i, started())
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, q.Flush(bg))
	}
	require.NoError(t, sys.Stop(bg))
	m, err := collect(t, r)
	require.NoError(t, err)
	require.Len(t, m, 2)
	require.Zero(t, m["cmwq.up"].Data.(metricdata.Gauge[int64]).DataPoints[0].Value)
	require.NoError(t, registration.Unregister())
	m, err = collect(t, r)
	require.NoError(t, err)
	require.Empty(t, m)
}

// Sums and names are those of the options.
func TestGroupBy(t *testing.T) {
	source := &still{snap: cmwq.Snapshot{Queues: []cmwq.QueueSnapshot{
		{Name: "a/in", Child: true, Stats: cmwq.Stats{Total: 1}}, {Name: "b/in", Child: true, Stats: cmwq.Stats{Total: 2}}, {Name: "c"},
	}}}
	names := func(opts ...otelmetrics.Option) map[string]int64 {
		r := metric.NewManualReader()
		provider := metric.NewMeterProvider(metric.WithReader(r))
		defer func() { _ = provider.Shutdown(bg) }()
		_, err := otelmetrics.RegisterOf(source, provider.Meter(otelmetrics.Scope), opts...)
		require.NoError(t, err)
		m, err := collect(t, r)
		require.NoError(t, err)
		got := map[string]int64{}
		for _, p := range m["cmwq.queue.started"].Data.(metricdata.Sum[int64]).DataPoints {
			name, _ := p.Attributes.Value("cmwq.queue.name")
			got[name.AsString()] = p.Value
		}
		return got
	}
	require.Equal(t, map[string]int64{"(children)": 3, "c": 0}, names())
	require.Equal(t, map[string]int64{"*/in": 3, "c": 0}, names(otelmetrics.GroupBy(otelmetrics.SumBySibling)))
	require.Equal(t, map[string]int64{"a/*": 1, "b/*": 2, "c": 0}, names(otelmetrics.GroupBy(otelmetrics.SumByParent)))
	require.Equal(t, map[string]int64{"a/in": 1, "b/in": 2, "c": 0}, names(otelmetrics.GroupBy(otelmetrics.Each)))
}
