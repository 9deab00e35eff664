// Package metrics shows a system to Prometheus.
//
//	prometheus.MustRegister(metrics.New(sys))
//
// Each scrape takes one snapshot: below a millisecond with a thousand queues, without a
// lock, and without stopping anybody. Several may scrape at a time.
//
// # Names
//
// What client-go's workqueues have is here by the same names, and of the same meaning:
// workqueue_depth, workqueue_adds_total, workqueue_queue_duration_seconds,
// workqueue_work_duration_seconds, workqueue_unfinished_work_seconds,
// workqueue_longest_running_processor_seconds and workqueue_retries_total, by name. What is this library's begins with
// cmwq_queue_ (by name), cmwq_pool_ (by pool and kind), or cmwq_. docs/observe.md lists
// all. Counters count from the queue's making; cmwq_queue_info has a queue's kind.
// Of a program that has workqueues of client-go in the same registry, and of one that has
// two systems, the names clash: prometheus.WrapRegistererWithPrefix and
// prometheus.WrapRegistererWith tell them apart.
//
// Dashboard is a board for Grafana that shows them.
//
// # How many series
//
// Each queue has about thirty, and each pool that has queues seven. Queues that are
// children of actors may be very many, and short-lived: by default they are summed, under
// the name (children). GroupBy sums or leaves out what it likes: SumByParent, SumBySibling
// and Each are ready. Counters of a sum do not fall when a queue ends, but what that did
// between the last scrape and its end is not told, nor is a queue that no scrape met.
//
// # Durations
//
// Waits and runs are measured with cmwq.WithMonitor alone. They are native histograms with
// buckets 9 % wide (schema 3), which Prometheus takes when it is told to, by
// scrape_native_histograms; the text format has but their sum and count. ClassicBuckets
// adds classic ones.
//
// # Errors
//
// A snapshot that fails, or takes longer than TimeLimit, is told as an error of the
// scrape, and counted in cmwq_snapshot_errors_total. By default a promhttp handler then
// serves nothing at all; with promhttp.ContinueOnError it serves the other collectors'
// metrics. After Stop there is no error: cmwq_up is 0, and nothing else is told.
package metrics
