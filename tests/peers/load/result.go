package load

import (
	"fmt"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// window is how many results are waited for at a time.
const window = 1024

// results is workload r: a nop with a typed result, each of which is waited for.
func results() []Workload {
	return []Workload{{
		ID: "r", Group: "r", Title: fmt.Sprintf("nop tasks with a typed result, %d outstanding, each waited for, 1 producer", window),
		Figures: nopFigures,
		Skip: func(s system.System) string {
			if s.Results == nil {
				return "it gives no typed results"
			}
			return ""
		},
		Run: func(env Env, s system.System) ([]float64, error) {
			e, err := s.Results(env.Limit)
			if err != nil {
				return nil, err
			}
			c, n := cost{}, env.warmUp()
			if err := submitResults(e, n, &c); err != nil {
				return nil, err
			}
			n = env.long(n, c.wall)
			err = submitResults(e, n, &c)
			e.Close()
			return c.each(n), err
		},
	}}
}

// submitResults keeps a window of results outstanding. Each function adds one, so that
// the sum says how many have run.
func submitResults(e system.Results, n int, c *cost) error {
	submit := e.Producer(func() int { return 1 })
	var ring [window]system.Result
	sum := 0
	take := func(r system.Result) error {
		if r == nil {
			return nil
		}
		v, err := r.Wait()
		sum += v
		return err
	}
	c.start()
	for i := range n {
		if err := take(ring[i%window]); err != nil {
			return err
		}
		ring[i%window] = submit()
	}
	for _, r := range ring {
		if err := take(r); err != nil {
			return err
		}
	}
	c.stop()
	if sum != n {
		return fmt.Errorf("%w: %d of %d", ErrLost, sum, n)
	}
	return nil
}
