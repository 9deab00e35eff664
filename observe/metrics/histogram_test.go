package metrics_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
)

// still is a source of one snapshot, or of an error.
type still struct {
	snap cmwq.Snapshot
	err  error
}

func (s *still) Snapshot(context.Context) (*cmwq.Snapshot, error) { return &s.snap, s.err }

// gather gives a registry's answer of one metric.
func gather(t *testing.T, c prometheus.Collector, name string) []*dto.Metric {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	require.NoError(t, reg.Register(c))
	all, err := reg.Gather()
	require.NoError(t, err)
	for _, f := range all {
		if f.GetName() == name {
			return f.GetMetric()
		}
	}
	return nil
}

// quantile is that of a native histogram, as PromQL has it: a bucket's upper bound.
func quantile(h *dto.Histogram, share float64) time.Duration {
	want := share * float64(h.GetSampleCount())
	seen := float64(h.GetZeroCount())
	at, n, next := 0, int64(0), 0
	for _, s := range h.GetPositiveSpan() {
		at += int(s.GetOffset())
		for range s.GetLength() {
			n += h.GetPositiveDelta()[next]
			next++
			if seen += float64(n); seen >= want {
				return time.Duration(math.Exp2(float64(at)*math.Exp2(-float64(h.GetSchema()))) * 1e9)
			}
			at++
		}
	}
	return -1
}

// ofThousand is a distribution with a bucket of 6 % for each of 1 ms, 2 ms... 1 s, and
// three of no time at all.
func ofThousand() cmwq.Distribution {
	d := cmwq.Distribution{N: 1003, Sum: 500*time.Second + 500*time.Millisecond, Buckets: []cmwq.Bucket{{To: 1, N: 3}}}
	for i := range 1000 {
		from := time.Duration(i+1) * time.Millisecond
		d.Buckets = append(d.Buckets, cmwq.Bucket{From: from - from/33, To: from + from/33, N: 1})
	}
	return d
}

func TestNativeHistogram(t *testing.T) {
	world := still{snap: cmwq.Snapshot{At: time.Unix(1000, 0), Queues: []cmwq.QueueSnapshot{{Name: "q", Wait: ofThousand()}, {Name: "unmeasured"}}}}
	world.snap.Uptime = 100 * time.Second
	got := gather(t, metrics.Of(&world), "workqueue_queue_duration_seconds")
	require.Len(t, got, 1, "who measured nothing has none")
	h := got[0].GetHistogram()
	require.EqualValues(t, 3, h.GetSchema())
	require.EqualValues(t, 1003, h.GetSampleCount())
	require.EqualValues(t, 3, h.GetZeroCount())
	require.InDelta(t, 500.5, h.GetSampleSum(), 0.1)
	require.Equal(t, int64(900), h.GetCreatedTimestamp().GetSeconds())
	require.Empty(t, h.GetBucket())
	for _, share := range []float64{0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
		want := time.Duration(math.Ceil(share*1003)-3) * time.Millisecond
		require.InEpsilon(t, want, quantile(h, share), 0.13, share)
	}
	require.Empty(t, gather(t, metrics.Of(&world), "workqueue_work_duration_seconds"))
}

func TestClassicBuckets(t *testing.T) {
	world := still{snap: cmwq.Snapshot{Queues: []cmwq.QueueSnapshot{{Name: "q", Run: ofThousand()}}}}
	c := metrics.Of(&world, metrics.ClassicBuckets(0.5, 0.1, 0.1))
	compare(t, c, `
		workqueue_work_duration_seconds_bucket{name="q",le="0.1"} 103
		workqueue_work_duration_seconds_bucket{name="q",le="0.5"} 503
		workqueue_work_duration_seconds_bucket{name="q",le="+Inf"} 1003
		workqueue_work_duration_seconds_count{name="q"} 1003
	`)
	for range 2 { // a scrape leaves nothing behind
		require.Len(t, gather(t, c, "workqueue_work_duration_seconds")[0].GetHistogram().GetBucket(), 2)
	}
	require.NotEmpty(t, gather(t, c, "workqueue_work_duration_seconds")[0].GetHistogram().GetPositiveSpan())
	c = metrics.Of(&world, metrics.ClassicBuckets())
	var bounds []float64
	for _, b := range gather(t, c, "workqueue_work_duration_seconds")[0].GetHistogram().GetBucket() {
		bounds = append(bounds, b.GetUpperBound())
	}
	require.Equal(t, []float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10}, bounds)
	require.True(t, slices.IsSorted(bounds))
}

// The text format has no native buckets: sum and count are there nevertheless.
func TestTextHasCountAndSum(t *testing.T) {
	world := still{snap: cmwq.Snapshot{Queues: []cmwq.QueueSnapshot{{Name: "q", Run: ofThousand()}}}}
	compare(t, metrics.Of(&world), `
		workqueue_work_duration_seconds_count{name="q"} 1003
		workqueue_work_duration_seconds_bucket{name="q",le="+Inf"} 1003
	`)
}
