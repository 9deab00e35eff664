package reading

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// Histogram counts durations. Every bucket is known by its middle, which is within 3 % of
// what it has.
type Histogram struct {
	N       int64
	Sum     time.Duration
	Buckets []Bucket // ascending
}

// Bucket is how many durations there were of about At.
type Bucket struct {
	At time.Duration
	N  int64
}

// seenTimes is what was seen of a queue's Distribution.
type seenTimes struct {
	n       int64
	sum     time.Duration
	buckets []cmwq.Bucket
}

// grow adds what a queue measured since it was seen.
func (h *Histogram) grow(seen *seenTimes, now *cmwq.Distribution) {
	if now.N <= seen.n {
		return
	}
	i := 0
	for _, b := range now.Buckets {
		for i < len(seen.buckets) && seen.buckets[i].From < b.From {
			i++
		}
		n := b.N
		if i < len(seen.buckets) && seen.buckets[i].From == b.From {
			n -= seen.buckets[i].N
		}
		if n > 0 {
			h.add(b.From+(b.To-b.From)/2, n)
		}
	}
	if now.Sum > seen.sum {
		h.Sum += now.Sum - seen.sum
		seen.sum = now.Sum
	}
	seen.n, seen.buckets = now.N, now.Buckets
}

func (h *Histogram) add(at time.Duration, n int64) {
	h.N += n
	i, found := slices.BinarySearchFunc(h.Buckets, at, func(b Bucket, at time.Duration) int { return cmp.Compare(b.At, at) })
	if !found {
		h.Buckets = slices.Insert(h.Buckets, i, Bucket{At: at})
	}
	h.Buckets[i].N += n
}

// clone gives a copy that does not grow.
func (h *Histogram) clone() Histogram {
	c := *h
	c.Buckets = slices.Clone(h.Buckets)
	return c
}

// Scale is that of the exponential buckets which Exponential makes: eight for each power
// of two, each 9 % wider than the one before. It is the finest with none narrower than
// those of a Distribution, of which the widest is 6 %: no bucket is left out, as a comb,
// because of how they fall.
const Scale = 3

// Exponential puts the durations, in seconds, into the buckets that native histograms of
// Prometheus and exponential ones of OpenTelemetry have: index i is above base^(i-1) and at
// most base^i, where base is 2^(1/8). zero is how many took no time at all.
func (h *Histogram) Exponential() (buckets map[int]int64, zero uint64) {
	buckets = make(map[int]int64, len(h.Buckets))
	for _, b := range h.Buckets {
		if b.At <= 0 {
			zero += uint64(b.N)
			continue
		}
		i := math.Ceil(math.Log2(b.At.Seconds()) * (1 << Scale))
		buckets[int(i)] += b.N
	}
	return buckets, zero
}

// Below is how many durations were at most so many seconds.
func (h *Histogram) Below(seconds float64) (n uint64) {
	for _, b := range h.Buckets {
		if b.At.Seconds() > seconds {
			break
		}
		n += uint64(b.N)
	}
	return n
}
