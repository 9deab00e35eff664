package otelmetrics

import (
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// Option changes what Register and NewProducer do.
type Option func(o *options)

type options struct {
	name  func(q *cmwq.QueueSnapshot) string
	limit time.Duration
}

func readerOf(source reading.Source, opts []Option) *reading.Reader {
	var o options
	for _, set := range opts {
		set(&o)
	}
	return reading.New(source, o.name, o.limit)
}

// GroupBy has the numbers of a queue told by the name that f gives; those of queues with
// the same name are summed, and a queue with none is left out. The default is SumChildren.
//
// A name should depend on nothing but the queue's Name, Child and Kind. f is called for
// each queue in each collection, by one at a time, and must not block.
func GroupBy(f func(q *cmwq.QueueSnapshot) string) Option { return func(o *options) { o.name = f } }

// SumChildren tells of all queues that are children of actors as of one, (children), and
// of every other one for itself. (for GroupBy)
func SumChildren(q *cmwq.QueueSnapshot) string { return reading.SumChildren(q) }

// SumByParent sums the queues that are children of one actor, under its id and /*.
// (for GroupBy)
func SumByParent(q *cmwq.QueueSnapshot) string { return reading.SumByParent(q) }

// SumBySibling sums the queues that are children by the same name, of whatever actors, as
// */ and that name. (for GroupBy)
func SumBySibling(q *cmwq.QueueSnapshot) string { return reading.SumBySibling(q) }

// Each tells of every queue for itself. (for GroupBy)
func Each(q *cmwq.QueueSnapshot) string { return reading.Each(q) }

// TimeLimit is how long a snapshot may take; the default is 5 s. A shorter one of the
// collection's context holds, too.
func TimeLimit(d time.Duration) Option { return func(o *options) { o.limit = d } }
