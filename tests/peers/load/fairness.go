package load

import (
	"sync"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

const (
	fairTask      = 10 * time.Microsecond
	fairProducers = 4
	fairWindow    = 64 // tasks of a producer that are not yet ended
)

// fairness is a saturated run: producers that each keep a window of tasks waiting. In
// perfect order every task waits for as long as the windows take.
func fairness() []Workload {
	return []Workload{{
		ID: "fair", Group: "fair", Title: "saturated: 4 producers with 64 tasks of 10 µs outstanding each, wait from before Submit to start",
		Figures: []Figure{{"max", "ms", false}, {"p50", "ms", false}, {"p99", "ms", false}, {"max/p50", "", false}},
		Skip:    pools,
		Run:     saturate,
	}}
}

func saturate(env Env, s system.System) ([]float64, error) {
	perNs()
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	n := env.pick(40_000, 8_000)
	t := newTally(n)
	lat := make(latencies, n)
	var all sync.WaitGroup
	lost := make(chan struct{}) // a task that does not run holds its place for ever
	defer time.AfterFunc(env.Timeout, func() { close(lost) }).Stop()
	begin := time.Now()
	for p := range fairProducers {
		all.Go(func() {
			window := make(chan struct{}, fairWindow)
			at := make([]time.Duration, n)
			for i := p; i < n; i += fairProducers {
				select {
				case window <- struct{}{}:
				case <-lost:
					return
				}
				at[i] = time.Since(begin)
				e.Submit(func(i int) {
					lat[i] = time.Since(begin) - at[i]
					spin(fairTask)
					select {
					case <-window:
					default: // it runs for the second time
					}
					t.one()
				}, i)
			}
		})
	}
	all.Wait()
	err = t.wait(env.Timeout)
	e.Close()
	if err == nil {
		err = t.once()
	}
	v := lat.ms(1, .5, .99)
	return append(v, v[0]/v[1]), err
}
