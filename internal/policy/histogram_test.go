package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every duration is in one bucket, buckets are next to each other, and none is wider than
// a sixteenth of what is in it.
func TestBuckets(t *testing.T) {
	last := time.Duration(0)
	for at := uint16(0); at < bucketOf(math.MaxInt64); at++ {
		from, to := bucket{at: at}.bounds()
		require.Equal(t, last, from)
		require.Equal(t, at, bucketOf(from))
		require.Equal(t, at, bucketOf(to-1))
		require.LessOrEqual(t, float64(to-from), max(1, float64(from)/halfBuckets))
		last = to
	}
	require.EqualValues(t, 0, bucketOf(-1))
}

// Quantiles are those of the values, within half a bucket, however they were recorded.
func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spread := rapid.Float64Range(0, 30).Draw(t, "spread")
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(math.Exp(rapid.Float64Range(0, spread).Draw(t, "log")))
		}), 1, 200).Draw(t, "values")
		var parts [2]Histogram
		sum := 0.0
		for i, v := range values {
			parts[i%2].Record(v, 3)
			sum += float64(v)
		}
		h := parts[0].Clone()
		h.Merge(&parts[1])
		slices.Sort(values)
		n := len(values)
		require.EqualValues(t, 3*n, h.N())
		require.InDelta(t, sum/float64(n), float64(h.Mean()), 1+1e-6*sum/float64(n))
		require.Equal(t, values[n-1], h.Max())
		shares := []float64{0, 0.5, 0.9, 0.99, 1}
		out := make([]time.Duration, len(shares))
		h.Quantiles(shares, out)
		for i, s := range shares {
			want := values[max(0, int(math.Ceil(s*float64(n)))-1)]
			require.InDelta(t, float64(want), float64(out[i]), 1+float64(want)*0.032, "share %v", s)
		}
		all := int64(0)
		for b, n := range h.Buckets() {
			require.Less(t, b[0], b[1])
			all += n
		}
		require.Equal(t, h.N(), all)
	})
}

// A histogram that was cloned does not change with the other.
func TestHistogramClone(t *testing.T) {
	var h Histogram
	h.Record(5, 1)
	c, a := h.Clone(), NewArena(1)
	d, e := a.Clone(&h), a.Clone(&h)
	h.Record(5, 1)
	h.Record(7, 1)
	require.EqualValues(t, 1, c.N())
	out := make([]time.Duration, 1)
	d.Record(5, 1)
	d.Record(7, 1)
	require.EqualValues(t, 3, d.N())
	require.Equal(t, c, e)
	c.Quantiles([]float64{1}, out)
	require.Equal(t, time.Duration(5), out[0])
	require.Equal(t, 1, c.Len())
}
