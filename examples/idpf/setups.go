package main

import (
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// The load is that of a driver: an item every so often, whether those before have started
// or not, each of which takes a little. It is one per cent of a CPU, and less than what
// nice 0 is due beside nice -20.
const (
	every = 10 * time.Millisecond
	takes = 100 * time.Microsecond
)

// setup is a kind of queue.
type setup struct {
	name   string
	pinned bool // to the antagonist's CPU
	high   bool
	opts   []cmwq.QueueOption
}

const (
	unbound = "unbound"
	managed = "managed"
	bound   = "bound"
	highpri = "bound, highpri"
	strict  = "unbound, strict cpu"
)

func setups() []setup {
	return []setup{
		{name: unbound, opts: []cmwq.QueueOption{cmwq.Unbound()}},
		{name: managed},
		{name: bound, pinned: true, opts: []cmwq.QueueOption{cmwq.PerCPU()}},
		{name: highpri, pinned: true, high: true, opts: []cmwq.QueueOption{cmwq.PerCPU(), cmwq.HighPri()}},
		{name: strict, pinned: true, opts: []cmwq.QueueOption{cmwq.Unbound(), cmwq.Affinity(topology.ScopeCPU, true)}},
	}
}

// rounds is how often a queue is measured that may use other CPUs. The best round counts:
// whatever else the machine does only adds to it, and a bound queue has no other CPU to be
// disturbed on.
const rounds = 8
