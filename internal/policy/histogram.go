package policy

import (
	"iter"
	"math"
	"math/bits"
	"slices"
	"time"
)

// Histogram counts durations in buckets whose bounds are those of an HdrHistogram with
// sixteen buckets for each power of two: a value is known within 6 %, its bucket's middle
// within 3. Only buckets that have something are kept, in order: most queues need a few
// dozen, one that was used once needs one. An empty one needs none.
type Histogram struct {
	buckets []bucket
	last    int // index of the bucket that was used last
	n       int64
	sum     float64
	max     time.Duration
}

type bucket struct {
	at uint16
	n  int64
}

// halfBuckets is the number of buckets of a power of two.
const halfBuckets = 16

// bucketOf numbers the bucket of a duration: the shortest are known exactly.
func bucketOf(d time.Duration) uint16 {
	v := uint64(max(0, d))
	if v < 2*halfBuckets {
		return uint16(v)
	}
	e := bits.Len64(v) - 5
	return uint16(e*halfBuckets + int(v>>e))
}

// bounds are those of a bucket; the upper one is not in it.
func (b bucket) bounds() (from, to time.Duration) {
	if b.at < 2*halfBuckets {
		return time.Duration(b.at), time.Duration(b.at) + 1
	}
	e := int(b.at)/halfBuckets - 1
	m := int(b.at) - e*halfBuckets
	return time.Duration(m) << e, time.Duration(m+1) << e
}

// Record counts a duration n times.
func (h *Histogram) Record(d time.Duration, n int64) {
	d = max(0, d)
	h.n += n
	h.sum += float64(d) * float64(n)
	h.max = max(h.max, d)
	at := bucketOf(d)
	if h.last < len(h.buckets) && h.buckets[h.last].at == at {
		h.buckets[h.last].n += n
		return
	}
	h.add(at, n)
}

func (h *Histogram) add(at uint16, n int64) {
	i, found := slices.BinarySearchFunc(h.buckets, at, func(b bucket, at uint16) int { return int(b.at) - int(at) })
	if !found {
		h.buckets = slices.Insert(h.buckets, i, bucket{at: at})
	}
	h.buckets[i].n += n
	h.last = i
}

// Merge adds all of another.
func (h *Histogram) Merge(o *Histogram) {
	if o.n == 0 {
		return
	}
	h.n += o.n
	h.sum += o.sum
	h.max = max(h.max, o.max)
	for _, b := range o.buckets {
		h.add(b.at, b.n)
	}
}

// Clone gives a copy of its own.
func (h *Histogram) Clone() Histogram {
	c := *h
	c.buckets = slices.Clone(h.buckets)
	return c
}

// Arena holds what many clones need.
type Arena struct{ buckets []bucket }

// NewArena has room for so many buckets.
func NewArena(buckets int) *Arena { return &Arena{make([]bucket, 0, buckets)} }

// Clone gives a copy of its own, for which the arena has room.
func (a *Arena) Clone(h *Histogram) Histogram {
	c := *h
	from := len(a.buckets)
	a.buckets = append(a.buckets, h.buckets...)
	c.buckets = slices.Clip(a.buckets[from:])
	return c
}

// N is how many were recorded.
func (h *Histogram) N() int64 { return h.n }

// Mean is that of all that were recorded, exactly; 0 of none.
func (h *Histogram) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return time.Duration(h.sum / float64(h.n))
}

// Sum is that of all that were recorded, as exact as a float64 is.
func (h *Histogram) Sum() time.Duration { return time.Duration(min(h.sum, math.MaxInt64/2)) }

// Max is the longest, exactly.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantiles puts into out, for each of the ascending shares of all that were recorded, the
// duration that so many do not exceed: the middle of a bucket, and at most Max.
func (h *Histogram) Quantiles(shares []float64, out []time.Duration) {
	var seen int64
	i := 0
	for _, b := range h.buckets {
		seen += b.n
		for ; i < len(shares) && float64(seen) >= shares[i]*float64(h.n); i++ {
			from, to := b.bounds()
			out[i] = min(from+(to-from)/2, h.max)
		}
	}
}

// Buckets gives those that are not empty, ascending: their bounds, and what they have.
func (h *Histogram) Buckets() iter.Seq2[[2]time.Duration, int64] {
	return func(yield func([2]time.Duration, int64) bool) {
		for _, b := range h.buckets {
			from, to := b.bounds()
			if !yield([2]time.Duration{from, to}, b.n) {
				return
			}
		}
	}
}

// Len is the number of buckets that are not empty.
func (h *Histogram) Len() int { return len(h.buckets) }
