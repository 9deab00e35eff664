package load

import (
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

const (
	fullTask = 50 * time.Microsecond
	fullLoad = 0.85 // of what the CPUs can do; the rest is for the producer and the system
)

// full is latency under full load: tasks that only compute, arriving at random, and
// together almost as much as there are CPUs.
func full() []Workload {
	return []Workload{{
		ID: "load", Group: "load", Title: "open loop under full load: tasks of 50 µs at random, 85 % of the CPUs",
		Figures: []Figure{{"p99", "ms", false}, {"p50", "ms", false}, {"p99.9", "ms", false}, {"max", "ms", false}},
		Skip:    pools,
		Run: func(env Env, s system.System) ([]float64, error) {
			e, err := env.make(s)
			if err != nil {
				return nil, err
			}
			rate := fullLoad * float64(env.Limit) * float64(time.Second/fullTask)
			o := newOpenLoop(poisson(env.pick(20_000, 2_000), rate))
			err = o.compute(env, e, fullTask)
			return o.lat.ms(.99, .5, .999, 1), err
		},
	}}
}

// compute runs the loop with tasks that compute for d.
func (o *openLoop) compute(env Env, e system.Executor, d time.Duration) error {
	perNs()
	err := o.run(env, func(i int) {
		e.Submit(func(i int) {
			o.started(i)
			spin(d)
			o.one()
		}, i)
	})
	e.Close()
	if err == nil {
		err = o.once()
	}
	return err
}
