package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// New gives a collector of a system's metrics, to be registered. It is safe for concurrent
// use. It has nothing to close; after Stop of the system it may be unregistered.
func New(sys *cmwq.System, opts ...Option) prometheus.Collector { return newCollector(sys, opts...) }

type collector struct {
	name   func(q *cmwq.QueueSnapshot) string
	limit  time.Duration
	bounds []float64

	reader *reading.Reader
	queues []*prometheus.Desc // as reading.Queues
	pools  []*prometheus.Desc // as reading.Pools
	whole  []*prometheus.Desc // as reading.Whole
	info   *prometheus.Desc
	build  *prometheus.Desc
}

func newCollector(source reading.Source, opts ...Option) *collector {
	c := &collector{
		queues: descs(reading.Queues, "name"),
		pools:  descs(reading.Pools, "pool", "kind"),
		whole:  descs(reading.Whole),
		info:   prometheus.NewDesc("cmwq_queue_info", "1, of a queue with its kind: managed, percpu, unbound, ordered, bh; mixed, if several are summed.", []string{"name", "kind"}, nil),
		build:  prometheus.NewDesc("cmwq_build_info", "1, with the version of the library.", []string{"version"}, nil),
	}
	for _, set := range opts {
		set(c)
	}
	c.reader = reading.New(source, c.name, c.limit)
	return c
}

func descs[T any](all []reading.Metric[T], labels ...string) []*prometheus.Desc {
	out := make([]*prometheus.Desc, len(all))
	for i, m := range all {
		out[i] = prometheus.NewDesc(m.Prom, m.Help, labels, nil)
	}
	return out
}

// Describe tells of all metrics there may be.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, all := range [][]*prometheus.Desc{c.queues, c.pools, c.whole, {c.info, c.build}} {
		for _, d := range all {
			out <- d
		}
	}
}

// Collect takes a snapshot.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	r, err := c.reader.Read(context.Background())
	if err != nil {
		out <- prometheus.NewInvalidMetric(c.whole[0], err)
		send(out, c.whole[len(c.whole)-1:], reading.Whole[len(c.whole)-1:], &r.System)
		return
	}
	send(out, c.whole, reading.Whole, &r.System)
	if r.System.Up {
		put(out, c.build, prometheus.GaugeValue, 1, r.System.Version)
	}
	for i := range r.Queues {
		q := &r.Queues[i]
		put(out, c.info, prometheus.GaugeValue, 1, q.Name, q.Kind)
		send(out, c.queues, reading.Queues, q, q.Name)
		c.histograms(out, q)
	}
	for i := range r.Pools {
		p := &r.Pools[i]
		send(out, c.pools, reading.Pools, p, p.Name, p.Kind)
	}
}

// send sends the values that x has.
func send[T any](out chan<- prometheus.Metric, descs []*prometheus.Desc, all []reading.Metric[T], x *T, labels ...string) {
	for i, m := range all {
		if m.Value == nil {
			continue
		}
		if v, ok := m.Value(x); ok {
			kind := prometheus.GaugeValue
			if m.Type == reading.Counter {
				kind = prometheus.CounterValue
			}
			put(out, descs[i], kind, v, labels...)
		}
	}
}

func put(out chan<- prometheus.Metric, d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
	m, err := prometheus.NewConstMetric(d, kind, v, labels...)
	if err != nil {
		m = prometheus.NewInvalidMetric(d, err)
	}
	out <- m
}
