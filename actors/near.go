package actors

import (
	"sync"
	"sync/atomic"
)

// noShare marks a CPU that no pool of a queue serves.
const noShare = 1<<16 - 1

// hints keep a number near each CPU of the process: goroutines on one CPU mostly
// get the same one. Go does not say which CPU a goroutine is on.
var (
	hintNext atomic.Uint32
	hints    = sync.Pool{New: func() any { return &hint{n: hintNext.Add(1) - 1} }}
)

type hint struct {
	n    uint32
	last int // the CPU chosen last for an item whose queuer is on no allowed one
}

// near gives a number below n that mostly stays the same for callers on one CPU.
// About 10 ns.
func near(n int) int {
	h := hints.Get().(*hint)
	v := h.n
	hints.Put(h)
	return int(v % uint32(n))
}
