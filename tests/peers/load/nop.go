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

func nop(id, group string, producers int, title string) Workload {
	return Workload{
		ID: id, Group: group, Title: title,
		Figures: []Figure{{"wall", "ns/task", false}, {"CPU", "ns/task", false}, {"allocs", "/task", false}, {"bytes", "B/task", false}},
		Skip:    anything,
		Run: func(env Env, s system.System) ([]float64, error) {
			e, err := s.Make(system.Setup{Limit: env.Limit, Producers: producers})
			if err != nil {
				return nil, err
			}
			if _, err := submitMany(env, e, env.warmUp(), producers, nil); err != nil {
				return nil, err
			}
			n := env.pick(400_000, 50_000)
			var c cost
			t, err := submitMany(env, e, n, producers, &c)
			e.Close()
			if err == nil {
				err = t.once()
			}
			return c.each(n), err
		},
	}
}

// submitMany submits n tasks from so many goroutines, and waits for all of them.
// What comes before the first submit is no part of the cost.
func submitMany(env Env, e system.Executor, n, producers int, c *cost) (*tally, error) {
	n = max(n-n%producers, producers)
	t := newTally(n)
	var ready, all sync.WaitGroup
	open := make(chan struct{})
	ready.Add(producers)
	for range producers {
		all.Go(func() {
			submit := e.Producer(t.one)
			ready.Done()
			<-open
			for range n / producers {
				submit()
			}
		})
	}
	ready.Wait()
	if c != nil {
		c.start()
	}
	close(open)
	all.Wait()
	err := t.wait(env.Timeout)
	if c != nil {
		c.stop()
	}
	return t, err
}

// cost is what a stretch of the program has used.
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
