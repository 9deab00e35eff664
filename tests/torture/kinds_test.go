package torture

import (
	"strings"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

// machines are the topologies that rounds take turns with.
var machines = []string{"core:1", "core:2", "llc:2 core:2", "llc:4 core:1", "llc:1 core:24", "numa:2 llc:2 core:2"}

type options = []cmwq.QueueOption

// kind of queue. top is the most that may execute at once, on each CPU or in all; 0
// is no limit of interest.
type kind struct {
	name   string
	top    int
	perCPU bool
	opts   options
}

// limited says whether other limits than max_active would spoil the meter.
func (k kind) limited() bool { return k.top > 0 && !strings.Contains(k.name, "ordered") }

var kinds = []kind{
	{"managed", 0, false, nil},
	{"narrow", 3, false, options{cmwq.MaxActive(3)}},
	{"one", 1, false, options{cmwq.MaxActive(1)}},
	{"highpri", 0, false, options{cmwq.HighPri()}},
	{"percpu", 0, true, options{cmwq.PerCPU()}},
	{"percpu narrow", 2, true, options{cmwq.PerCPU(), cmwq.MaxActive(2)}},
	{"cpu intensive", 0, true, options{cmwq.PerCPU(), cmwq.CPUIntensive()}},
	{"unbound", 8, false, options{cmwq.Unbound(), cmwq.MaxActive(8)}},
	{"ordered", 1, false, options{cmwq.Ordered()}},
	{"freezable", 0, false, options{cmwq.Freezable()}},
	{"freezable ordered", 1, false, options{cmwq.Freezable(), cmwq.Ordered()}},
	{"rescued", 0, true, options{cmwq.MemReclaim(), cmwq.PerCPU()}},
	{"rescued narrow", 2, false, options{cmwq.MemReclaim(), cmwq.MaxActive(2)}},
	{"rescued ordered", 1, false, options{cmwq.MemReclaim(), cmwq.Ordered()}},
	{"frozen rescued", 0, false, options{cmwq.MemReclaim(), cmwq.Freezable(), cmwq.Unbound()}},
	{"bh", 0, true, options{cmwq.BH()}},
	{"bh highpri", 0, true, options{cmwq.BH(), cmwq.HighPri()}},
	{"power efficient", 0, false, options{cmwq.PowerEfficient()}},
	{"min active", 0, false, options{cmwq.MaxActive(4), cmwq.MinActive(2)}},
}

// meter counts what executes of a queue at once, and the functions queued by Go.
type meter struct {
	functions account

	name string
	in   atomic.Int64
	most int64 // that may, 0 any
	bh   bool
}

func (w *world) meter(q *cmwq.Queue) *meter {
	x, _ := w.meters.Load(q.Name())
	return x.(*meter)
}

// enter counts an execution in, and gives what counts it out.
func (m *meter) enter(w *world) (leave func()) {
	if n := m.in.Add(1); m.most > 0 && n > m.most {
		w.t.Errorf("%d items of queue %s at once", n, m.name)
	}
	return func() { m.in.Add(-1) }
}
