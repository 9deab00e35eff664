package reading

import "time"

// Pools are the metrics of a worker pool.
var Pools = []Metric[Pool]{
	{
		Prom: "cmwq_pool_hung_seconds", OTel: "cmwq.pool.hung", Type: Gauge, Unit: "s",
		Help:  "How long the pool has made no progress while work waits; 0 if none does.",
		Value: seconds(func(p *Pool) time.Duration { return p.Hung }),
	}, {
		Prom: "cmwq_pool_waiting", OTel: "cmwq.pool.waiting", Type: Sum, Unit: "{item}",
		Help:  "Items on the worklist.",
		Value: of(func(p *Pool) int { return p.Waiting }),
	}, {
		Prom: "cmwq_pool_workers", OTel: "cmwq.pool.workers", Type: Sum, Unit: "{worker}",
		Help:  "Workers of the pool.",
		Value: of(func(p *Pool) int { return p.Workers }),
	}, {
		Prom: "cmwq_pool_workers_idle", OTel: "cmwq.pool.workers.idle", Type: Sum, Unit: "{worker}",
		Help:  "Workers that have nothing to do.",
		Value: of(func(p *Pool) int { return len(p.Idle) }),
	}, {
		Prom: "cmwq_pool_workers_running", OTel: "cmwq.pool.workers.running", Type: Sum, Unit: "{worker}",
		Help:  "Workers that count as runnable: they execute an item that neither sleeps nor hogs a CPU.",
		Value: of(func(p *Pool) int { return p.Running }),
	}, {
		Prom: "cmwq_pool_workers_wanted", OTel: "cmwq.pool.workers.wanted", Type: Sum, Unit: "{worker}",
		Help:  "Workers that the manager was asked for and has not made, yet.",
		Value: of(func(p *Pool) int { return p.Wanted }),
	}, {
		Prom: "cmwq_pool_width", OTel: "cmwq.pool.width", Type: Sum, Unit: "{worker}",
		Help:  "Workers that may be runnable at once. Pools without a limit have none of these.",
		Value: limit(func(p *Pool) int { return p.Width }),
	},
}

// Whole are the metrics of the system. Those but the first and the last are there while
// it is up.
var Whole = []Metric[System]{
	{
		Prom: "cmwq_up", OTel: "cmwq.up", Type: Gauge, Unit: "1",
		Help:  "1 while the system is there, 0 when it has been stopped.",
		Value: flag(func(s *System) bool { return s.Up }),
	}, {
		Prom: "cmwq_frozen", OTel: "cmwq.frozen", Type: Gauge, Unit: "1",
		Help:  "1 while freezable queues are frozen.",
		Value: up(func(s *System) float64 { v, _ := flag(func(s *System) bool { return s.Frozen })(s); return v }),
	}, {
		Prom: "cmwq_uptime_seconds", OTel: "cmwq.uptime", Type: Gauge, Unit: "s",
		Help:  "How long the system has been there.",
		Value: up(func(s *System) float64 { return s.Uptime.Seconds() }),
	}, {
		Prom: "cmwq_gomaxprocs", OTel: "cmwq.gomaxprocs", Type: Gauge, Unit: "{cpu}",
		Help:  "CPUs that may run Go code at once.",
		Value: up(func(s *System) float64 { return float64(s.GOMAXPROCS) }),
	}, {
		Prom: "cmwq_snapshot_seconds", OTel: "cmwq.snapshot.duration", Type: Gauge, Unit: "s",
		Help:  "How long it took to take the snapshot that these numbers are from.",
		Value: up(func(s *System) float64 { return s.Took.Seconds() }),
	}, {
		Prom: "cmwq_snapshot_errors_total", OTel: "cmwq.snapshot.errors", Type: Counter, Unit: "{error}",
		Help:  "Snapshots that failed, as a rule because they took too long.",
		Value: of(func(s *System) int64 { return s.Errors }),
	},
}

func up(f func(s *System) float64) func(s *System) (float64, bool) {
	return func(s *System) (float64, bool) { return f(s), s.Up }
}
