package load

import (
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// idle is workload l: one task on a system that has nothing else to do.
func idle() []Workload {
	figures := []Figure{{"p99", "µs", false}, {"p50", "µs", false}, {"p99.9", "µs", false}}
	return []Workload{
		{
			ID: "l", Group: "l", Title: "one task on an idle system, back to back: submit to start", Figures: figures, Skip: anything,
			Run: func(env Env, s system.System) ([]float64, error) {
				return oneAtATime(env, s, env.pick(50_000, 5_000), 0)
			},
		},
		{
			ID: "l+1ms", Group: "l", Title: "one task on an idle system, one a millisecond: submit to start", Figures: figures, Skip: anything,
			Run: func(env Env, s system.System) ([]float64, error) {
				return oneAtATime(env, s, env.pick(500, 100), time.Millisecond)
			},
		},
	}
}

func oneAtATime(env Env, s system.System, n int, gap time.Duration) ([]float64, error) {
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	lat := make(latencies, n)
	base := time.Now()
	started := make(chan time.Duration, 1)
	submit := e.Producer(func() { started <- time.Since(base) })
	for i := range lat {
		if gap > 0 {
			time.Sleep(gap)
		}
		at := time.Since(base)
		submit()
		lat[i] = <-started - at
	}
	e.Close()
	return lat.us(.99, .5, .999), nil
}
