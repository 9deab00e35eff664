package sim

import (
	"time"

	"github.com/cmwq/cmwq/topology"
)

// machine is CPUs that share cores in pairs or more: a thread is slower while a
// sibling is busy.
type machine struct {
	*clock
	smt  float64
	cpus []*hardCPU
}

type hardCPU struct {
	id, pod, core int
	siblings      []*hardCPU
	task          *task
	left          float64       // ns of work at full speed
	since         time.Duration // left was right then
	busy          time.Duration // ever, up to since
	gen           uint64
}

// task is what wants a CPU: an issuer, or a worker with an item.
type task struct {
	pod   int // it belongs there; -1: anywhere
	at    time.Duration
	cpu   *hardCPU
	steal bool // any CPU may take it after a while
	mover bool // an issuer: an idle CPU takes it now and then
	last  int  // pod it ran in last, -1 never
	next  func() (work time.Duration, ok bool)
}

func newMachine(c *clock, t *topology.Topology, smt float64) *machine {
	m := &machine{clock: c, smt: smt}
	for _, id := range t.CPUs().List() {
		m.cpus = append(m.cpus, &hardCPU{id: id, pod: t.PodOf(topology.ScopeCache, id), core: t.PodOf(topology.ScopeSMT, id)})
	}
	for _, x := range m.cpus {
		for _, y := range m.cpus {
			if x != y && x.core == y.core {
				x.siblings = append(x.siblings, y)
			}
		}
	}
	return m
}

func (x *hardCPU) coreIdle() bool {
	for _, y := range x.siblings {
		if y.task != nil {
			return false
		}
	}
	return true
}

func (m *machine) speed(x *hardCPU) float64 {
	if x.coreIdle() {
		return 1
	}
	return m.smt
}

// hold accounts for a core, before what it runs changes.
func (m *machine) hold(x *hardCPU) {
	m.account(x)
	for _, y := range x.siblings {
		m.account(y)
	}
}

// account brings a CPU's work up to now, at the speed it had until now.
func (m *machine) account(x *hardCPU) {
	if x.task != nil {
		d := m.now - x.since
		x.left -= float64(d) * m.speed(x)
		x.busy += d
	}
	x.since = m.now
}

// set changes what a CPU runs, and with it the speed of its siblings.
func (m *machine) set(x *hardCPU, t *task, work time.Duration, over func(*hardCPU)) {
	m.hold(x)
	x.task, x.left = t, float64(work)
	m.arm(x, over)
	for _, y := range x.siblings {
		m.arm(y, over)
	}
}

// arm has a CPU tell when its work is over, unless its speed changes before.
func (m *machine) arm(x *hardCPU, over func(*hardCPU)) {
	x.gen++
	if x.task == nil {
		return
	}
	gen := x.gen
	d := time.Duration(max(0, x.left)/m.speed(x)) + 1
	m.after(d, func() {
		if x.gen == gen {
			over(x)
		}
	})
}

// busyTime is how long all CPUs were busy up to now.
func (m *machine) busyTime(now time.Duration) (sum time.Duration) {
	for _, x := range m.cpus {
		sum += x.busy
		if x.task != nil {
			sum += now - x.since
		}
	}
	return sum
}
