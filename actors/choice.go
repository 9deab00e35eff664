package actors

import (
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/policy"
)

// choice is how a CPU is chosen for an item whose queuer named none, if not every
// CPU will do.
type choice struct {
	cpus    []int  // I: all
	inside  []bool // I: by CPU: it is allowed
	allowed []int  // I:
	force   bool   // I: another one each time

	last atomic.Int64 // A: with force
}

// newChoice gives nil if every CPU is allowed.
func newChoice(cpus, allowed []int, force bool) *choice {
	if len(allowed) == len(cpus) && !force {
		return nil
	}
	c := &choice{cpus: cpus, allowed: allowed, force: force, inside: make([]bool, cpus[len(cpus)-1]+1)}
	for _, cpu := range allowed {
		c.inside[cpu] = true
	}
	return c
}

// cpu chooses. Each CPU of the process remembers its last choice for queuers that
// are on no allowed CPU.
func (c *choice) cpu() int {
	for c.force {
		last := c.last.Load()
		cpu := policy.PickCPU(c.allowed, -1, int(last), true)
		if c.last.CompareAndSwap(last, int64(cpu)) {
			return cpu
		}
	}
	h := hints.Get().(*hint)
	cpu := c.cpus[int(h.n)%len(c.cpus)]
	if !c.inside[cpu] {
		cpu = policy.PickCPU(c.allowed, cpu, h.last, false)
		h.last = cpu
	}
	hints.Put(h)
	return cpu
}
