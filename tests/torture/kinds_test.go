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
// is no limit of interest. fixed workers are there for as long as the queue is.
type kind struct {
	name   string
	top    int
	perCPU bool
	opts   options
	fixed  int

	fails bool // it has a strategy for failing work
	loses bool // it may drop, or not call, what waits
	child bool // of an actor that is stopped, and fails
	brief bool // its items are short, most of them
}

func (k kind) ordered() bool { return strings.Contains(k.name, "ordered") }
func (k kind) bh() bool      { return strings.HasPrefix(k.name, "bh") }

// limited says whether other limits than max_active would spoil the meter.
func (k kind) limited() bool { return k.top > 0 && !k.ordered() && !k.bh() }

var kinds = []kind{
	{name: "managed"},
	{name: "narrow", top: 3, opts: options{cmwq.MaxActive(3)}},
	{name: "one", top: 1, opts: options{cmwq.MaxActive(1)}},
	{name: "highpri", opts: options{cmwq.HighPri()}},
	{name: "percpu", perCPU: true, opts: options{cmwq.PerCPU()}},
	{name: "percpu narrow", top: 2, perCPU: true, opts: options{cmwq.PerCPU(), cmwq.MaxActive(2)}},
	{name: "cpu intensive", perCPU: true, opts: options{cmwq.PerCPU(), cmwq.CPUIntensive()}},
	{name: "unbound", top: 8, opts: options{cmwq.Unbound(), cmwq.MaxActive(8)}},
	{name: "ordered", top: 1, opts: options{cmwq.Ordered()}},
	{name: "freezable", opts: options{cmwq.Freezable()}},
	{name: "freezable ordered", top: 1, opts: options{cmwq.Freezable(), cmwq.Ordered()}},
	{name: "rescued", perCPU: true, opts: options{cmwq.MemReclaim(), cmwq.PerCPU()}},
	{name: "rescued narrow", top: 2, opts: options{cmwq.MemReclaim(), cmwq.MaxActive(2)}},
	{name: "rescued ordered", top: 1, opts: options{cmwq.MemReclaim(), cmwq.Ordered()}},
	{name: "frozen rescued", opts: options{cmwq.MemReclaim(), cmwq.Freezable(), cmwq.Unbound()}},
	{name: "bh", top: 1, perCPU: true, opts: options{cmwq.BH()}},
	{name: "bh highpri", top: 1, perCPU: true, opts: options{cmwq.BH(), cmwq.HighPri()}},
	{name: "power efficient", opts: options{cmwq.PowerEfficient()}},
	{name: "min active", opts: options{cmwq.MaxActive(4), cmwq.MinActive(2)}},
	{name: "fixed", top: 6, opts: options{cmwq.MaxActive(6)}, fixed: 2},
	{name: "fixed rescued", top: 4, opts: options{cmwq.MemReclaim(), cmwq.MaxActive(4)}, fixed: 3},
}

// meter counts what executes of a queue at once, and the functions queued by Go.
type meter struct {
	functions account
	keys      [numKeys]line

	calls, bad, told atomic.Int64 // executions, those of them that failed, failures that were reported
	left             atomic.Int64 // what may have been left alone by its submitter

	name string
	in   atomic.Int64
	most int64 // that may, 0 any
	bh   bool
	kind *kind

	resumes resumes
}

func (w *world) meter(q *cmwq.Queue) *meter {
	x, _ := w.meters.Load(q.Name())
	return x.(*meter)
}

// call books the execution of a function that is of no sort.
func (m *meter) call(ctx *cmwq.Context) {
	m.calls.Add(1)
	m.functions.call(ctx)
}

// enter counts an execution in, and gives what counts it out.
func (m *meter) enter(w *world) (leave func()) {
	if n := m.in.Add(1); m.most > 0 && n > m.most {
		w.t.Errorf("%d items of queue %s at once", n, m.name)
	}
	return func() { m.in.Add(-1) }
}
