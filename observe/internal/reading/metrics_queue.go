package reading

import "time"

// Queues are the metrics of a queue. Those that client-go's workqueues have, too, have its
// names and meaning.
var Queues = []Metric[Queue]{
	{
		Prom: "workqueue_depth", OTel: "cmwq.queue.depth", Type: Sum, Unit: "{item}",
		Help:  "Items that wait to be started. Armed ones do not, yet.",
		Value: of(func(q *Queue) int64 { return q.Depth }),
	}, {
		Prom: "workqueue_adds_total", OTel: "cmwq.queue.adds", Type: Counter, Unit: "{item}",
		Help:  "Items that came to a pool: armed ones when their time comes, and retries again.",
		Value: count(Adds),
	}, {
		Prom: "workqueue_queue_duration_seconds", OTel: "cmwq.queue.wait.duration", Type: Times, Unit: "s",
		Help:  "How long items waited, from queueing to start. Only with cmwq.WithMonitor.",
		Times: func(q *Queue) *Histogram { return &q.Wait },
	}, {
		Prom: "workqueue_work_duration_seconds", OTel: "cmwq.queue.run.duration", Type: Times, Unit: "s",
		Help:  "How long items ran, from start to end. Only with cmwq.WithMonitor.",
		Times: func(q *Queue) *Histogram { return &q.Run },
	}, {
		Prom: "workqueue_unfinished_work_seconds", OTel: "cmwq.queue.unfinished", Type: Sum, Unit: "s",
		Help:  "How long the items in flight have run so far, together. It grows as long as they are stuck.",
		Value: seconds(func(q *Queue) time.Duration { return q.Unfinished }),
	}, {
		Prom: "workqueue_longest_running_processor_seconds", OTel: "cmwq.queue.longest_running", Type: Gauge, Unit: "s",
		Help:  "How long the item has run that has been in flight longest.",
		Value: seconds(func(q *Queue) time.Duration { return q.Longest }),
	}, {
		Prom: "workqueue_retries_total", OTel: "cmwq.queue.retries", Type: Counter, Unit: "{item}",
		Help:  "Failures after which the item was to run again.",
		Value: count(Retries),
	}, {
		Prom: "cmwq_queues", OTel: "cmwq.queue.count", Type: Sum, Unit: "{queue}",
		Help:  "Queues whose numbers are told by this name: one, or those that are summed.",
		Value: of(func(q *Queue) int { return q.Queues }),
	}, {
		Prom: "cmwq_queues_held", OTel: "cmwq.queue.held", Type: Sum, Unit: "{queue}",
		Help:  "Queues of these that are frozen or paused, or that drain.",
		Value: of(func(q *Queue) int { return q.Held }),
	}, {
		Prom: "cmwq_queue_in_flight", OTel: "cmwq.queue.in_flight", Type: Sum, Unit: "{item}",
		Help:  "Items that are being executed.",
		Value: of(func(q *Queue) int64 { return q.InFlight }),
	}, {
		Prom: "cmwq_queue_active", OTel: "cmwq.queue.active", Type: Sum, Unit: "{item}",
		Help:  "Items that hold a slot of max_active: they are in flight, or on a pool's worklist.",
		Value: of(func(q *Queue) int64 { return q.Active }),
	}, {
		Prom: "cmwq_queue_inactive", OTel: "cmwq.queue.inactive", Type: Sum, Unit: "{item}",
		Help:  "Items that wait for a slot of max_active, or behind one of their key.",
		Value: of(func(q *Queue) int64 { return q.Inactive }),
	}, {
		Prom: "cmwq_queue_max_active", OTel: "cmwq.queue.max_active", Type: Sum, Unit: "{item}",
		Help:  "Slots that the queue has, of all its pools together. BH queues have no limit, and none of these.",
		Value: limit(func(q *Queue) int64 { return q.MaxActive }),
	}, {
		Prom: "cmwq_queue_delayed", OTel: "cmwq.queue.delayed", Type: Sum, Unit: "{item}",
		Help:  "Items that are armed: they wait for their time, or for other work.",
		Value: of(func(q *Queue) int64 { return q.Delayed }),
	},
	counter(Started, "started", "started", "{item}", "Items whose execution began."),
	{
		Prom: "cmwq_queue_cpu_seconds_total", OTel: "cmwq.queue.cpu.time", Type: Counter, Unit: "s",
		Help:  "Time that items were executed, less the sleeps that they declared.",
		Value: func(q *Queue) (float64, bool) { return float64(q.Counts[CPUTime]) / 1e9, true },
	},
	counter(Failed, "failed", "failed", "{item}", "Items that failed for good: with an error, a panic or Goexit, or because their time was up."),
	counter(WaitedOut, "waited_out", "waited_out", "{item}", "Items of those that failed because they waited for too long."),
	counter(RanOut, "ran_out", "ran_out", "{item}", "Items of those that failed because they ran for too long."),
	counter(DeadLetters, "dead_letters", "dead_letters", "{item}", "Items of those that failed which were kept as dead letters."),
	counter(DeadLost, "dead_letters_lost", "dead_letters.lost", "{letter}", "Dead letters that made room for newer ones."),
	counter(Cancelled, "cancelled", "cancelled", "{item}", "Items that were taken back before they began."),
	counter(Dropped, "dropped", "dropped", "{item}", "Items that were accepted and not run, because the queue or the system ended."),
	counter(CPUHogs, "cpu_hogs", "cpu_hogs", "{item}", "Items that were declared CPU hogs: they kept a CPU for too long while others waited."),
	counter(CMWakeups, "cm_wakeups", "cm_wakeups", "{worker}", "Workers that were woken or made because an item of this queue blocked."),
	counter(Repatriations, "repatriations", "repatriations", "{worker}", "Workers that were brought back to their pod."),
	counter(Maydays, "maydays", "maydays", "{call}", "Calls of the rescuer, because workers could not be made."),
	counter(Rescues, "rescues", "rescues", "{item}", "Items that the rescuer ran."),
}

// counter is one of the queue's own.
func counter(i int, prom, otel, unit, help string) Metric[Queue] {
	return Metric[Queue]{
		Prom: "cmwq_queue_" + prom + "_total", OTel: "cmwq.queue." + otel, Type: Counter, Unit: unit,
		Help: help, Value: count(i),
	}
}
