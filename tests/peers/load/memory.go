package load

import (
	"fmt"
	"runtime"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// memory is workload e: tasks that wait behind blocked ones.
func memory() []Workload {
	return []Workload{{
		ID: "e", Group: "e", Title: "1 000 000 tasks queued behind blocked ones (a goroutine each: 200 000)",
		Figures: []Figure{{"memory", "B/task beside its closure", false}, {"queue", "ns/task", false}, {"drain", "ns/task", false}},
		Skip:    func(s system.System) string { return holds(s, 1_000_000) },
		Run: func(env Env, s system.System) ([]float64, error) {
			n := env.pick(1_000_000, 100_000)
			if s.Unlimited {
				n = env.pick(200_000, 50_000)
			}
			b, err := fill(env, s, n, true)
			if err != nil {
				return nil, err
			}
			err = b.empty(env)
			return []float64{b.bytes, b.queue, b.drain}, err
		},
	}}
}

// holds compares those that take n tasks without blocking.
func holds(s system.System, n int) string {
	if why := anything(s); why != "" {
		return why
	}
	if !s.Queues && s.Capacity < n {
		return "its Submit blocks instead"
	}
	return ""
}

// closureBytes is what the closure of a task takes.
const closureBytes = 24

// A backlog is an executor with tasks that wait behind a gate.
type backlog struct {
	e            system.Executor
	t            *tally
	n            int
	bytes, queue float64 // memory beside the closure, and ns, of a task
	drain        float64 // ns of a task
	gate         chan struct{}
}

// fill blocks the executor and submits n tasks. Those of a system without a limit
// wait at the gate themselves. The memory is known if it is to be weighed, which takes
// a garbage collection.
func fill(env Env, s system.System, n int, weigh bool) (*backlog, error) {
	e, err := s.Make(system.Setup{Limit: env.Limit, Hold: true})
	if err != nil {
		return nil, err
	}
	if !weigh {
		if _, err := submitMany(env, e, env.pick(10_000, 5_000), 1, new(cost)); err != nil {
			return nil, err
		}
	}
	blockers := env.Limit
	if s.Single {
		blockers = 1
	} else if s.Unlimited {
		blockers = 0
	}
	b := &backlog{e: e, t: newTally(n + blockers), n: n, gate: make(chan struct{})}
	begun := newTally(max(blockers, 1))
	for i := range blockers {
		e.Submit(func(int) { begun.one(); <-b.gate; b.t.one() }, i)
	}
	if blockers > 0 {
		if err := begun.wait(env.Timeout); err != nil {
			return nil, fmt.Errorf("blocking it: %w", err)
		}
	}
	body := func(int) { b.t.one() }
	if s.Unlimited {
		body = func(int) { <-b.gate; b.t.one() }
	}
	before := 0.0
	if weigh {
		before = inUse()
	}
	began := time.Now()
	for i := range n {
		e.Submit(body, i)
	}
	b.queue = float64(time.Since(began)) / float64(n)
	if weigh {
		b.bytes = (inUse()-before)/float64(n) - closureBytes
	}
	return b, nil
}

// empty opens the gate, waits for all, and ends the executor.
func (b *backlog) empty(env Env) error {
	began := time.Now()
	close(b.gate)
	err := b.t.wait(env.Timeout)
	b.drain = float64(time.Since(began)) / float64(b.n)
	b.e.Close()
	if err == nil {
		err = b.t.once()
	}
	return err
}

// inUse is the memory of objects and stacks that are alive.
func inUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) + float64(m.StackInuse)
}
