package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/cmwq/cmwq/observe/internal/reading"
)

// histograms sends a queue's durations; none of a queue that has measured nothing.
func (c *collector) histograms(out chan<- prometheus.Metric, q *reading.Queue) {
	for i, m := range reading.Queues {
		if m.Times == nil {
			continue
		}
		if h := m.Times(q); h.N > 0 {
			out <- c.histogram(c.queues[i], q, h)
		}
	}
}

func (c *collector) histogram(d *prometheus.Desc, q *reading.Queue, h *reading.Histogram) prometheus.Metric {
	buckets, zero := h.Exponential()
	m, err := prometheus.NewConstNativeHistogram(d, uint64(h.N), h.Sum.Seconds(), buckets, nil, zero,
		reading.Scale, prometheus.DefNativeHistogramZeroThreshold, q.Since, q.Name)
	if err != nil {
		return prometheus.NewInvalidMetric(d, err)
	}
	return &histogram{m, h, c.bounds}
}

// histogram is a native one that may have classic buckets, too.
type histogram struct {
	prometheus.Metric
	times  *reading.Histogram
	bounds []float64
}

// Write writes it as the registry wants it.
func (h *histogram) Write(out *dto.Metric) error {
	if err := h.Metric.Write(out); err != nil {
		return err
	}
	x := out.GetHistogram()
	x.Bucket = make([]*dto.Bucket, len(h.bounds))
	for i, b := range h.bounds {
		n := h.times.Below(b)
		x.Bucket[i] = &dto.Bucket{UpperBound: &b, CumulativeCount: &n}
	}
	return nil
}
