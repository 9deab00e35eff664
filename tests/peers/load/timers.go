package load

import (
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// A delay is a variant of workload f: tasks that are armed, and become due.
type delay struct {
	id, what string
	spread   time.Duration
	busy     int
}

// lead is how long after the first is armed the first is due.
const lead = 300 * time.Millisecond

func timers() []Workload {
	var all []Workload
	for _, d := range []delay{
		{"f.spread", "due over 1 s, idle", time.Second, 0},
		{"f.once", "all due within 1 ms, idle", time.Millisecond, 0},
		{"f.busy", "due over 1 s, beside 2 busy goroutines", time.Second, 2},
	} {
		all = append(all, Workload{
			ID: d.id, Group: "f", Title: "100 000 delayed tasks, " + d.what + ": lateness",
			Figures: []Figure{{"p99", "ms", false}, {"p50", "ms", false}, {"max", "ms", false}, {"arm", "ns", false}},
			Skip:    hasTimers,
			Run:     d.run,
		})
	}
	return append(all, armed())
}

func hasTimers(s system.System) string {
	if s.Timers == nil {
		return "it has no timers"
	}
	return ""
}

func (d delay) run(env Env, s system.System) ([]float64, error) {
	perNs()
	e, err := s.Timers()
	if err != nil {
		return nil, err
	}
	n := env.pick(100_000, 10_000)
	after := make([]time.Duration, n)
	due := make([]time.Duration, n)
	lat := make(latencies, n)
	r := rand.New(rand.NewPCG(7, 8))
	for i := range after {
		after[i] = env.span(lead) + time.Duration(r.Int64N(int64(env.span(d.spread))))
	}
	t := newTally(n)
	begin := time.Now()
	body := func(i int) {
		lat[i] = time.Since(begin) - due[i]
		t.one()
	}
	stop := busy(d.busy)
	begin = time.Now()
	for i := range n {
		due[i] = time.Since(begin) + after[i]
		e.Arm(after[i], body, i)
	}
	arm := time.Since(begin)
	err = t.wait(env.Timeout)
	stop()
	e.Close()
	if err == nil {
		err = t.once()
	}
	return append(lat.ms(.99, .5, 1), float64(arm)/float64(n)), err
}
