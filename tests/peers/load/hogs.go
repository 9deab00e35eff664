package load

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

const (
	short = 20 * time.Microsecond
	hog   = 100 * time.Millisecond
	hogAt = 100 // the task before which hogs arrive, if there are so many: 20 ms after the first
)

// headOfLine is workload d: short tasks behind k that hold a CPU for long.
func headOfLine() []Workload {
	var all []Workload
	for k := range 3 {
		all = append(all, Workload{
			ID: fmt.Sprintf("d%d", k), Group: "d",
			Title:   fmt.Sprintf("open loop, 5 tasks/ms of %v, and %d that compute for %v", short, k, hog),
			Figures: []Figure{{"p99", "ms", false}, {"p50", "ms", false}, {"max", "ms", false}},
			Skip:    pools,
			Run:     func(env Env, s system.System) ([]float64, error) { return behindHogs(env, s, k) },
		})
	}
	return all
}

// behindHogs gives the latencies of the short tasks alone.
func behindHogs(env Env, s system.System, k int) ([]float64, error) {
	perNs()
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	at := steady(env.pick(1000, 200), 5)
	first := min(hogAt, len(at)/4)
	hogs := make(arrivals, k)
	for i := range hogs {
		hogs[i] = at[first]
	}
	o := newOpenLoop(append(append(append(arrivals{}, at[:first]...), hogs...), at[first:]...))
	err = o.run(env, func(i int) {
		e.Submit(func(i int) {
			o.started(i)
			if i >= first && i < first+k {
				spin(hog)
			} else {
				spin(short)
			}
			o.one()
		}, i)
	})
	e.Close()
	if err == nil {
		err = o.once()
	}
	shorts := append(o.lat[:first:first], o.lat[first+k:]...)
	return shorts.ms(.99, .5, 1), err
}
