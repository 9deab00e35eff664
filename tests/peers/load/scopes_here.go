package load

import (
	"runtime"
	"sync"

	"github.com/cmwq/cmwq/tests/peers/system"
	"github.com/cmwq/cmwq/topology"
)

// manyCPUs is how many CPUs the simulated machine has, and the real one is told it has.
const manyCPUs = 72

// scopesHere is what scopes simulates, with the CPUs that there are: as many goroutines
// as the larger machine has CPUs, each of which queues an item for its own, waits for
// it, and begins again. So few CPUs cannot contend much for a cache line; what
// it shows is what the code of one pool for all costs.
func scopesHere() Workload {
	return Workload{
		ID: "scopes.here", Group: "scopes", Title: "the same on the CPUs of this machine: 72 goroutines, each with a CPU of its own in a topology of 72",
		Figures: scopeFigures(), Skip: onlyItems,
		Run: func(env Env, _ system.System) ([]float64, error) {
			v := make([]float64, len(scopeOrder))
			for i, s := range scopeOrder {
				rate, err := contend(env, s)
				if err != nil {
					return nil, err
				}
				v[i] = rate
			}
			return v, nil
		},
	}
}

// contend gives million items a second.
func contend(env Env, scope topology.Scope) (float64, error) {
	q, err := system.NewScoped(manyCPUs, scope)
	if err != nil {
		return 0, err
	}
	each := env.pick(3_000, 300)
	t := newTally(each * manyCPUs)
	var all sync.WaitGroup
	runtime.GC()
	var c cost
	c.start()
	for cpu := range manyCPUs {
		all.Go(func() {
			call := q.Worker(cpu, t.one)
			for range each {
				call()
			}
		})
	}
	all.Wait()
	c.stop()
	q.Close()
	return float64(t.n) / c.wall.Seconds() / 1e6, t.once()
}
