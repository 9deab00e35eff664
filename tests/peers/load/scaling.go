package load

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// scaling has tables that should be flat: what an item costs with more of them
// queued, with more queues, and with more producers.
func scaling() []Workload {
	var all []Workload
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		all = append(all, Workload{
			ID: fmt.Sprintf("s.items=%d", n), Group: "s.items", Title: fmt.Sprintf("scaling: a backlog of %d tasks, queued and drained", n),
			Figures: []Figure{{"wall", "ns/task", false}, {"queue", "ns/task", false}, {"drain", "ns/task", false}},
			Skip: func(s system.System) string {
				if s.Unlimited {
					return "it has no backlog: it has started them all"
				}
				return holds(s, n)
			},
			Run: func(env Env, s system.System) ([]float64, error) { return queued(env, s, n) },
		})
	}
	for _, n := range []int{1, 10, 100, 1000} {
		all = append(all, Workload{
			ID: fmt.Sprintf("s.queues=%d", n), Group: "s.queues", Title: fmt.Sprintf("scaling: nop tasks in turn to %d queues (of a peer: pools)", n),
			Figures: nopFigures,
			Skip: func(s system.System) string {
				if s.Unlimited || s.Single || s.Capacity > 1024 {
					return "it has no queues"
				}
				return anything(s)
			},
			Run: func(env Env, s system.System) ([]float64, error) { return inTurn(env, s, env.pick(n, n)) },
		})
	}
	for _, n := range []int{1, 2, 4, 16, 64} {
		all = append(all, nop(fmt.Sprintf("s.producers=%d", n), "s.producers", n, fmt.Sprintf("scaling: nop tasks of %d producers", n)))
	}
	for _, procs := range []int{1, 2, 4, 8, 16} {
		all = append(all, Workload{
			ID: fmt.Sprintf("s.procs=%d", procs), Group: "s.procs", Title: fmt.Sprintf("scaling: nop tasks of 4 producers with GOMAXPROCS=%d, whatever the cores", procs),
			Figures: nopFigures,
			Skip:    anything,
			Run: func(env Env, s system.System) ([]float64, error) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				return manyNops(env, s, system.Setup{Limit: procs, Producers: 4, CPUs: procs})
			},
		})
	}
	return all
}

// queued repeats what is small, until about as many tasks were measured as in what is
// large.
func queued(env Env, s system.System, n int) ([]float64, error) {
	times := min(max(1, 100_000/n), env.pick(10, 3))
	if env.Quick {
		n = min(n, env.pick(n, 200_000))
	}
	var queue, drain float64
	for range times {
		b, err := fill(env, s, n, false)
		if err != nil {
			return nil, err
		}
		if err := b.empty(env); err != nil {
			return nil, err
		}
		queue += b.queue / float64(times)
		drain += b.drain / float64(times)
	}
	return []float64{queue + drain, queue, drain}, nil
}

// inTurn has one producer, whose tasks go to each queue in turn.
func inTurn(env Env, s system.System, queues int) ([]float64, error) {
	all, end, err := executors(env, s, queues)
	if err != nil {
		return nil, err
	}
	var c cost
	n := max(env.warmUp(), queues)
	if _, err = take(env, all, n, &c); err == nil {
		n = max(env.long(n, c.wall), queues)
		var t *tally
		t, err = take(env, all, n, &c)
		end()
		if err == nil {
			err = t.once()
		}
	}
	return c.each(n), err
}

// take submits n tasks from one goroutine, in turn to each executor.
func take(env Env, all []system.Executor, n int, c *cost) (*tally, error) {
	t := newTally(n)
	submits := make([]func(), len(all))
	for i, e := range all {
		submits[i] = e.Producer(t.one)
	}
	c.start()
	for i := range n {
		submits[i%len(all)]()
	}
	err := t.wait(env.Timeout)
	c.stop()
	return t, err
}

// executors gives n queues of one system, or else n systems.
func executors(env Env, s system.System, n int) (all []system.Executor, end func(), err error) {
	first, err := env.make(s)
	if err != nil {
		return nil, nil, err
	}
	if m, ok := first.(system.Many); ok {
		all, err = m.Queues(n)
		return all, first.Close, err
	}
	all = append(all, first)
	for len(all) < n {
		e, err := env.make(s)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, e)
	}
	return all, func() {
		var ends sync.WaitGroup
		for _, e := range all {
			ends.Go(e.Close)
		}
		ends.Wait()
	}, nil
}
