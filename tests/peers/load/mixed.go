package load

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// A mix is a variant of workload c: 10 tasks a millisecond, of which nine tenths burn
// 50 µs of CPU and the others sleep 10 ms.
type mix struct {
	id       string
	what     string
	busy     int  // goroutines that keep the CPUs busy meanwhile
	declared bool // the system is told of the sleep, if it can be
	system   bool // the sleep is a read of a pipe, in the kernel
}

const (
	burst  = 50 * time.Microsecond
	pause  = 10 * time.Millisecond
	sleepy = 10 // one task in so many sleeps
)

func mixed() []Workload {
	var all []Workload
	for _, m := range []mix{
		{id: "c", what: "undeclared sleep"},
		{id: "c'", what: "declared sleep", declared: true},
		{id: "c+2", what: "undeclared sleep, beside 2 busy goroutines", busy: 2},
		{id: "c+4", what: "undeclared sleep, beside 4 busy goroutines", busy: 4},
		{id: "c'+2", what: "declared sleep, beside 2 busy goroutines", busy: 2, declared: true},
		{id: "csys", what: "blocked in a raw read of a pipe", system: true},
	} {
		all = append(all, Workload{
			ID: m.id, Group: m.id,
			Title:   fmt.Sprintf("open loop, 10 tasks/ms, 90 %% burn %v, 10 %% block %v: %s", burst, pause, m.what),
			Figures: []Figure{{"p99", "ms", false}, {"p50", "ms", false}, {"p99.9", "ms", false}, {"makespan", "ms", false}, {"goroutines", "at the peak", false}},
			Skip: func(s system.System) string {
				if m.declared && !s.Ours && !s.Unlimited {
					return "it cannot be told: as in the workload without '"
				}
				return pools(s)
			},
			Run: m.run,
		})
	}
	return all
}

func (m mix) run(env Env, s system.System) ([]float64, error) {
	perNs()
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	n := env.pick(2000, 300)
	sleeps := make([]bool, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range sleeps {
		sleeps[i] = r.IntN(sleepy) == 0
	}
	o := newOpenLoop(steady(n, 10))
	body := func(i int, sleep func(time.Duration)) {
		o.started(i)
		switch {
		case !sleeps[i]:
			spin(burst)
		case m.system:
			pipeBlock(pause)
		default:
			sleep(pause)
		}
		o.one()
	}
	submit := func(i int) { e.Submit(func(i int) { body(i, time.Sleep) }, i) }
	if told, ok := e.(system.Sleeper); ok && m.declared {
		submit = func(i int) { told.SubmitSleeping(body, i) }
	}
	stop := busy(m.busy)
	err = o.run(env, submit)
	stop()
	e.Close()
	if err == nil {
		err = o.once()
	}
	v := o.lat.ms(.99, .5, .999)
	return append(v, float64(o.makespan)/1e6, float64(o.peak)), err
}
