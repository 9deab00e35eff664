package load

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/cmwq/cmwq/tests/peers/system"
)

// nops is workload a: one closure that counts itself, submitted again and again.
func nops() []Workload {
	var all []Workload
	for _, p := range []struct {
		id        string
		producers int
	}{{"a", 1}, {"a4", 4}} {
		all = append(all, nop(p.id, "a", p.producers, fmt.Sprintf("nop tasks, fire and forget, %d producer(s)", p.producers)))
	}
	return all
}

var nopFigures = []Figure{{"wall", "ns/task", false}, {"CPU", "ns/task", false}, {"allocs", "/task", false}, {"bytes", "B/task", false}}

func nop(id, group string, producers int, title string) Workload {
	return Workload{
		ID: id, Group: group, Title: title,
		Figures: nopFigures,
		Skip:    anything,
		Run: func(env Env, s system.System) ([]float64, error) {
			return manyNops(env, s, system.Setup{Limit: env.Limit, Producers: producers})
		},
	}
}

func manyNops(env Env, s system.System, setup system.Setup) ([]float64, error) {
	e, err := s.Make(setup)
	if err != nil {
		return nil, err
	}
	c, n := cost{}, env.warmUp()
	_, err = submitMany(env, e, n, setup.Producers, &c)
	if err != nil {
		return nil, err
	}
	n = env.long(n, c.wall)
	t, err := submitMany(env, e, n, setup.Producers, &c)
	e.Close()
	if err == nil {
		err = t.once()
	}
	return c.each(n), err
}

// submitMany has at least n tasks submitted by so many goroutines, and waits for all of
// them. What comes before the first submit is no part of the cost.
func submitMany(env Env, e system.Executor, n, producers int, c *cost) (*tally, error) {
	t := newTally((n + producers - 1) / producers * producers)
	var ready, all sync.WaitGroup
	open := make(chan struct{})
	ready.Add(producers)
	for range producers {
		all.Go(func() {
			submit := e.Producer(t.one)
			ready.Done()
			<-open
			for range int(t.n) / producers {
				submit()
			}
		})
	}
	ready.Wait()
	c.start()
	close(open)
	all.Wait()
	err := t.wait(env.Timeout)
	c.stop()
	return t, err
}

// cost is what a stretch of the program has used; it may be used again.
type cost struct {
	wall, cpu time.Duration
	mem       runtime.MemStats
	allocs    uint64
	bytes     uint64
	cycles    uint32 // of the garbage collector
	began     time.Time
}

func (c *cost) start() {
	runtime.GC()
	runtime.ReadMemStats(&c.mem)
	c.cpu = cpuTime()
	c.began = time.Now()
}

func (c *cost) stop() {
	c.wall = time.Since(c.began)
	c.cpu = cpuTime() - c.cpu
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	c.allocs, c.bytes, c.cycles = now.Mallocs-c.mem.Mallocs, now.TotalAlloc-c.mem.TotalAlloc, now.NumGC-c.mem.NumGC
}

// each gives wall time, CPU time, allocations and bytes of one task of n.
func (c *cost) each(n int) []float64 {
	k := float64(n)
	return []float64{float64(c.wall) / k, float64(c.cpu) / k, float64(c.allocs) / k, float64(c.bytes) / k}
}
