package load

import (
	"runtime"
	"sync/atomic"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// garbage is what the garbage collector has to do with a system.
func garbage() []Workload {
	return []Workload{
		{
			ID: "gc", Group: "gc", Title: "a closure a task, each its own: what the garbage collector has to do",
			Figures: []Figure{{"bytes", "MB/million tasks", false}, {"cycles", "/million tasks", false}, {"wall", "ns/task", false}},
			Skip:    anything,
			Run:     churn,
		},
		{
			ID: "gc.lat", Group: "gc", Title: "open loop, 20 tasks/ms of 20 µs that allocate 16 kB, beside 1 000 000 objects: latency with the collector at work",
			Figures: []Figure{{"p99", "ms", false}, {"p50", "ms", false}, {"p99.9", "ms", false}, {"cycles", "in the run", false}},
			Skip:    pools,
			Run:     collecting,
		},
	}
}

func churn(env Env, s system.System) ([]float64, error) {
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	n := env.pick(1_000_000, 100_000)
	t := newTally(n)
	var c cost
	c.start()
	for i := range n {
		e.Submit(func(int) { t.one() }, i)
	}
	err = t.wait(env.Timeout)
	c.stop()
	e.Close()
	if err == nil {
		err = t.once()
	}
	million := float64(n) / 1e6
	return []float64{float64(c.bytes) / 1e6 / million, float64(c.cycles) / million, float64(c.wall) / float64(n)}, err
}

// An object of the heap that the collector has to mark.
type object struct {
	next *object
	_    [6]uint64
}

func collecting(env Env, s system.System) ([]float64, error) {
	heap := make([]*object, env.pick(1_000_000, 200_000))
	for i := range heap {
		heap[i] = &object{next: heap[i/2]}
	}
	e, err := env.make(s)
	if err != nil {
		return nil, err
	}
	n := env.pick(20_000, 4_000)
	var made [1024]atomic.Pointer[[16 << 10]byte]
	o := newOpenLoop(steady(n, 20))
	var c cost
	c.start()
	err = o.run(env, func(i int) {
		e.Submit(func(i int) {
			o.started(i)
			made[i%len(made)].Store(new([16 << 10]byte))
			spin(short)
			o.one()
		}, i)
	})
	c.stop()
	e.Close()
	if err == nil {
		err = o.once()
	}
	runtime.KeepAlive(heap)
	return append(o.lat.ms(.99, .5, .999), float64(c.cycles)), err
}
