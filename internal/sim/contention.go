package sim

import (
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/topology"
)

// Contention is an experiment with the pods of a scope as bounds on how many
// CPUs share one pool: every CPU queues a short item, waits for it, and begins
// again, and a pool reads one message at a time. It models nothing but that; what
// the time of a message is made of (a contended cache line, for the most part) is
// in Serve.
type Contention struct {
	Topology *topology.Topology
	Scope    topology.Scope
	Think    time.Duration // mean time of a CPU between two items, exponential
	Serve    time.Duration // time of an item in its pool's turn
	Items    int           // to measure
	Seed     uint64
}

// Published throughput of a machine with 72 CPUs under one cache, in items a
// second: 3.43 M with a pool a CPU, 0.60 M with one pool for all. The two times
// follow from these; what scopes between them do is predicted.
const (
	ContentionThink = 19320 * time.Nanosecond
	ContentionServe = 1670 * time.Nanosecond
)

// Run gives the items a second of the whole machine.
func (e Contention) Run() (rate float64) {
	c := &clock{now: boot}
	r := rand.New(rand.NewPCG(e.Seed, 2))
	free := make([]time.Duration, len(e.Topology.Pods(e.Scope))) // when each pool has read all it has
	done := 0
	var cycle func(pool int)
	cycle = func(pool int) {
		c.after(time.Duration(r.ExpFloat64()*float64(e.Think)), func() {
			free[pool] = max(free[pool], c.now) + e.Serve
			c.after(free[pool]-c.now, func() {
				done++
				cycle(pool)
			})
		})
	}
	for _, cpu := range e.Topology.CPUs().List() {
		cycle(e.Topology.PodOf(e.Scope, cpu))
	}
	const forever = 1 << 62
	for done < e.Items/10 {
		c.step(forever)
	}
	from, at := done, c.now
	for done < from+e.Items {
		c.step(forever)
	}
	return float64(e.Items) / (c.now - at).Seconds()
}
