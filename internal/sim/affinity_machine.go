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
	index         int    // among the machine's CPUs
	at            *grove // in the tree of pods, if there is one
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
	steal bool     // any CPU may take it after a while
	mover bool     // an issuer: an idle CPU takes it now and then
	last  int      // pod it ran in last, -1 never
	home  *grove   // in place of pod, where there is a tree
	prev  *hardCPU // it ran there last, if it cares
	next  func() (work time.Duration, ok bool)
	moved func(to *hardCPU) // an issuer was taken to another pod's CPU
}

func newMachine(c *clock, t *topology.Topology, smt float64) *machine {
	m := &machine{clock: c, smt: smt}
	cores := map[int][]*hardCPU{}
	for i, id := range t.CPUs().List() {
		x := &hardCPU{id: id, index: i, pod: t.PodOf(topology.ScopeCache, id), core: t.PodOf(topology.ScopeSMT, id)}
		m.cpus = append(m.cpus, x)
		cores[x.core] = append(cores[x.core], x)
	}
	for _, x := range m.cpus {
		for _, y := range cores[x.core] {
			if x != y {
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
