package load

import (
	"fmt"
	"sync"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// efficiency is workload b: tasks that only compute. The ideal is the same work split
// beforehand between as many goroutines as may run, measured right before and right
// after: the faster of both.
func efficiency() []Workload {
	var all []Workload
	for _, b := range []struct {
		d           time.Duration
		full, quick int
	}{{time.Microsecond, 200_000, 20_000}, {10 * time.Microsecond, 20_000, 2_000}, {100 * time.Microsecond, 2_000, 200}} {
		all = append(all, Workload{
			ID: fmt.Sprintf("b%d", b.d/time.Microsecond), Group: "b", Title: fmt.Sprintf("CPU tasks of %v, 1 producer", b.d),
			Figures: []Figure{{"efficiency", "%", true}, {"overhead", "CPU ns/task", false}},
			Skip:    anything,
			Run: func(env Env, s system.System) ([]float64, error) {
				return computing(env, s, b.d, env.pick(b.full, b.quick))
			},
		})
	}
	return all
}

func computing(env Env, s system.System, d time.Duration, n int) ([]float64, error) {
	perNs()
	ideal := split(env.Limit, n, d)
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	var c cost
	t := newTally(n)
	submit := e.Producer(func() { spin(d); t.one() })
	c.start()
	for range n {
		submit()
	}
	err = t.wait(env.Timeout)
	c.stop()
	e.Close()
	if err == nil {
		err = t.once()
	}
	if again := split(env.Limit, n, d); again.wall < ideal.wall {
		ideal = again
	}
	return c.beside(ideal, n), err
}

// beside gives the efficiency in per cent, and the CPU time of a task of n beyond the
// ideal.
func (c *cost) beside(ideal cost, n int) []float64 {
	return []float64{100 * float64(ideal.wall) / float64(c.wall), float64(c.cpu-ideal.cpu) / float64(n)}
}

// split is the ideal.
func split(limit, n int, d time.Duration) (c cost) {
	var all sync.WaitGroup
	c.start()
	for w := range limit {
		all.Go(func() {
			for i := w; i < n; i += limit {
				spin(d)
			}
		})
	}
	all.Wait()
	c.stop()
	return c
}
