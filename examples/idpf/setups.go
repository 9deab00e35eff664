package main

import (
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// The load is that of a driver: an item every so often, whether those before have started
// or not, each of which takes a little. It is one per cent of a CPU: more than what the
// antagonist of the report left.
const (
	every = 10 * time.Millisecond
	takes = 100 * time.Microsecond
)

// setup is a kind of queue.
type setup struct {
	name   string
	pinned bool // to the antagonist's CPU
	high   bool
	once   bool // an item is not queued while the one before waits
	opts   []cmwq.QueueOption
}

const (
	unbound = "unbound"
	managed = "managed"
	bound   = "bound"
	alone   = "bound, one item"
	highpri = "bound, highpri"
	strict  = "unbound, strict cpu"
)

func setups() []setup {
	return []setup{
		{name: unbound, opts: []cmwq.QueueOption{cmwq.Unbound()}},
		{name: managed},
		{name: bound, pinned: true, opts: []cmwq.QueueOption{cmwq.PerCPU()}},
		{name: alone, pinned: true, once: true, opts: []cmwq.QueueOption{cmwq.PerCPU()}},
		{name: highpri, pinned: true, high: true, opts: []cmwq.QueueOption{cmwq.PerCPU(), cmwq.HighPri()}},
		{name: strict, pinned: true, opts: []cmwq.QueueOption{cmwq.Unbound(), cmwq.Affinity(topology.ScopeCPU, true)}},
	}
}

// A queue that may use other CPUs is measured as long as a bound one, and again if the
// machine had other things to do there: what else it does only adds to a wait. The round
// with the shortest maximum counts.
const (
	rounds = 4
	quiet  = 200 * time.Microsecond // the maximum of a round that need not be measured again
)
