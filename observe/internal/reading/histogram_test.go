package reading_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// distribution puts durations into buckets of 6 %, as a monitor does.
func distribution(all []time.Duration) cmwq.Distribution {
	counts := map[cmwq.Bucket]int64{}
	for _, d := range all {
		e := max(0, bits.Len64(uint64(d))-5)
		m := d >> e
		counts[cmwq.Bucket{From: m << e, To: (m + 1) << e}]++
	}
	d := cmwq.Distribution{N: int64(len(all)), Sum: total(all)}
	for b, n := range counts {
		b.N = n
		d.Buckets = append(d.Buckets, b)
	}
	slices.SortFunc(d.Buckets, func(a, b cmwq.Bucket) int { return int(a.From - b.From) })
	return d
}

func total(all []time.Duration) (sum time.Duration) {
	for _, d := range all {
		sum += d
	}
	return sum
}

// Whatever was measured when, all is told, once, and no bucket falls; and a bucket is where
// its durations are, within 3 %.
func TestHistograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(math.Exp2(rapid.Float64Range(0, 40).Draw(t, "log2 ns"))) - 1
		}), 0, 50)
		var w world
		r := reading.New(&w, nil, 0)
		var waits, runs []time.Duration
		var last reading.Histogram
		for i := range rapid.IntRange(1, 5).Draw(t, "snapshots") {
			waits = append(waits, some.Draw(t, "waits")...)
			runs = append(runs, some.Draw(t, "runs")...)
			w.at(i, cmwq.QueueSnapshot{Name: "q", Wait: distribution(waits), Run: distribution(runs)})
			got, err := r.Read(t.Context())
			require.NoError(t, err)
			q := &got.Queues[0]
			require.EqualValues(t, len(runs), q.Run.N)
			require.EqualValues(t, len(waits), q.Wait.N)
			n, near := int64(0), 0
			for _, b := range q.Wait.Buckets {
				n += b.N
				for _, d := range waits {
					if math.Abs(float64(b.At-d)) <= 0.032*float64(d)+1 {
						near++
						break
					}
				}
			}
			require.Equal(t, q.Wait.N, n)
			require.Len(t, q.Wait.Buckets, near, "a bucket where nothing was")
			for _, b := range last.Buckets {
				at := slices.IndexFunc(q.Wait.Buckets, func(x reading.Bucket) bool { return x.At == b.At })
				require.GreaterOrEqual(t, at, 0)
				require.GreaterOrEqual(t, q.Wait.Buckets[at].N, b.N)
			}
			require.Equal(t, q.Wait.Sum, total(waits))
			last = q.Wait
		}
	})
}

// An exponential bucket has the durations that it says, but for those near its bounds.
func TestExponential(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(1, 1<<50).Draw(t, "ns"))
		h := reading.Histogram{N: 3, Buckets: []reading.Bucket{{At: 0, N: 1}, {At: d, N: 2}}}
		buckets, zero := h.Exponential()
		require.EqualValues(t, 1, zero)
		require.Len(t, buckets, 1)
		for i, n := range buckets {
			require.EqualValues(t, 2, n)
			base := math.Exp2(1.0 / 8)
			require.LessOrEqual(t, math.Pow(base, float64(i-1))*(1-1e-9), d.Seconds())
			require.GreaterOrEqual(t, math.Pow(base, float64(i))*(1+1e-9), d.Seconds())
		}
		require.EqualValues(t, 1, h.Below(d.Seconds()*0.99))
		require.EqualValues(t, 3, h.Below(d.Seconds()*1.01))
	})
}
