package metrics

import (
	"slices"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// Option changes what New makes.
type Option func(c *collector)

// GroupBy has the numbers of a queue told by the name that f gives; those of queues with
// the same name are summed, and a queue with none is left out. The default is SumChildren.
//
// A name should depend on nothing but the queue's Name, Child and Kind. f is called
// for each queue in each scrape, by one at a time, and must not block.
func GroupBy(f func(q *cmwq.QueueSnapshot) string) Option {
	return func(c *collector) { c.name = f }
}

// SumChildren tells of all queues that are children of actors as of one, (children), and
// of every other one for itself: a program's series are as many as its code names queues,
// however many actors it has. (for GroupBy)
func SumChildren(q *cmwq.QueueSnapshot) string { return reading.SumChildren(q) }

// SumByParent sums the queues that are children of one actor, under its id and /*:
// users/17/in and users/17/out are users/17/*. Good for few parents with many children.
// (for GroupBy)
func SumByParent(q *cmwq.QueueSnapshot) string { return reading.SumByParent(q) }

// SumBySibling sums the queues that are children by the same name, of whatever actors:
// users/17/in and users/18/in are */in. Good for many actors of a kind, whose queues have
// names of their own. (for GroupBy)
func SumBySibling(q *cmwq.QueueSnapshot) string { return reading.SumBySibling(q) }

// Each tells of every queue for itself. (for GroupBy)
func Each(q *cmwq.QueueSnapshot) string { return reading.Each(q) }

// TimeLimit is how long a snapshot may take; the default is 5 s. A pool answers in its next
// turn, whatever its items do, so that it takes long only where no goroutine gets a CPU.
func TimeLimit(d time.Duration) Option { return func(c *collector) { c.limit = d } }

// ClassicBuckets gives histograms classic buckets, too, with these upper bounds in
// seconds; with none those that client-go has: 1e-8 to 10, each ten times the one before.
// What is counted as below a bound may be 3 % above.
func ClassicBuckets(bounds ...float64) Option {
	if len(bounds) == 0 {
		bounds = []float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10}
	}
	bounds = slices.Clone(bounds)
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	return func(c *collector) { c.bounds = bounds }
}
