package load

import (
	"math/rand/v2"
	"runtime"
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
			Figures: []Figure{{"p99", "ms", false}, {"p50", "ms", false}, {"max", "ms", false}, {"arm", "ns", false}, {"bytes", "B allocated/timer", false}, {"alive", "B/timer beside its closure", false}},
			Skip:    hasTimers,
			Run:     d.run,
		})
	}
	return append(all, Workload{
		ID: "f.move", Group: "f", Title: "100 000 armed tasks: cancelled, moved, and armed again",
		Figures: []Figure{{"cancel", "ns", false}, {"re-arm", "ns", false}},
		Skip: func(s system.System) string {
			if why := hasTimers(s); why != "" {
				return why
			}
			if s.Single {
				return "what is armed cannot be moved"
			}
			return ""
		},
		Run: move,
	})
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
	before := inUse()
	stop := busy(d.busy)
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	begin = time.Now()
	for i := range n {
		due[i] = time.Since(begin) + after[i]
		e.After(after[i], body, i)
	}
	arm := time.Since(begin)
	runtime.ReadMemStats(&m1)
	alive := 0.0
	if d.busy == 0 && arm < env.span(lead)/2 {
		alive = (inUse()-before)/float64(n) - closureBytes
	}
	err = t.wait(env.Timeout)
	stop()
	e.Close()
	if err == nil {
		err = t.once()
	}
	v := lat.ms(.99, .5, 1)
	return append(v, float64(arm)/float64(n), float64(m1.TotalAlloc-m0.TotalAlloc)/float64(n), alive), err
}

// move cancels every armed task, and moves every other one.
func move(env Env, s system.System) ([]float64, error) {
	e, err := s.Timers()
	if err != nil {
		return nil, err
	}
	defer e.Close()
	n := env.pick(100_000, 20_000)
	all := make([]system.Timer, n)
	r := rand.New(rand.NewPCG(9, 10))
	arm := func() {
		for i := range all {
			all[i] = e.Arm(time.Hour+time.Duration(r.Int64N(int64(time.Hour))), func(int) {}, i)
		}
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	each := func(f func(system.Timer) bool) (ns float64, err error) {
		missed := 0
		began := time.Now()
		for _, t := range all {
			if !f(t) {
				missed++
			}
		}
		ns = float64(time.Since(began)) / float64(n)
		if missed > 0 {
			err = ErrLost
		}
		return ns, err
	}
	arm()
	moved, err := each(func(t system.Timer) bool { return t.Reset(2*time.Hour + time.Duration(r.Int64N(int64(time.Hour)))) })
	if err != nil {
		return nil, err
	}
	cancelled, err := each(system.Timer.Stop)
	return []float64{cancelled, moved}, err
}
