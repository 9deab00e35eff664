package policy

import (
	"slices"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/topology"
)

// Attrs say which CPUs serve a queue whose pools are not one a CPU, and how.
type Attrs struct {
	Nice   int            // of pinned threads
	CPUs   cpuset.CPUSet  // empty: all
	Scope  topology.Scope // ScopeDefault: that of the system
	Strict bool           // workers never leave their pod
}

// View is what a system allows its queues.
type View struct {
	Topology *topology.Topology
	Unbound  cpuset.CPUSet  // CPUs of all queues that are not per-CPU
	Online   cpuset.CPUSet  // CPUs that are up
	Scope    topology.Scope // what ScopeDefault means
}

// Layout is what attributes come to: a pool for each pod, and the pod of each CPU.
type Layout struct {
	Pods    []cpuset.CPUSet
	Route   []int // by CPU: index of its pod, -1 if there is no such CPU
	Allowed []int // CPUs that are chosen for items without one
}

// Effective is the part of a mask that the system allows; all that it allows if
// that is none.
//
// Follows the kernel's wqattrs_actualize_cpumask.
func (v View) Effective(cpus cpuset.CPUSet) cpuset.CPUSet {
	if cpus.IsEmpty() {
		return v.Unbound
	}
	if e := cpus.Intersection(v.Unbound); !e.IsEmpty() {
		return e
	}
	return v.Unbound
}

// Layout gives every CPU the allowed part of its pod; one without a CPU that is up
// there is served by all that is allowed. An ordered queue has one pod.
//
// Follows the kernel's wq_calc_pod_cpumask.
func (v View) Layout(a Attrs, ordered bool) Layout {
	effective := v.Effective(a.CPUs)
	scope := a.Scope
	if scope == topology.ScopeDefault {
		scope = v.Scope
	}
	pods := v.Topology.Pods(scope)
	cpus := v.Topology.CPUs().List()
	var l Layout
	for range cpus[len(cpus)-1] + 1 {
		l.Route = append(l.Route, -1)
	}
	index := map[string]int{}
	for _, cpu := range cpus {
		mask := effective
		if !ordered {
			part := pods[v.Topology.PodOf(scope, cpu)].CPUs.Intersection(effective)
			if !part.Intersection(v.Online).IsEmpty() {
				mask = part
			}
		}
		key := mask.String()
		at, ok := index[key]
		if !ok {
			at = len(l.Pods)
			index[key] = at
			l.Pods = append(l.Pods, mask)
		}
		l.Route[cpu] = at
	}
	l.Allowed = effective.Intersection(v.Online).List()
	if len(l.Allowed) == 0 {
		l.Allowed = effective.List()
	}
	return l
}

// NodeCPUs counts the CPUs of each memory node that a queue with this mask may use
// and that are up; nodes without any are there, with 0.
func (v View) NodeCPUs(cpus cpuset.CPUSet) map[int]int {
	n := map[int]int{}
	use := v.Effective(cpus).Intersection(v.Online)
	for _, cpu := range v.Topology.CPUs().List() {
		node := v.Topology.Node(cpu)
		n[node] += 0
		if use.Contains(cpu) {
			n[node]++
		}
	}
	return n
}

// Node is the memory node that has all CPUs of a pod, NoNode if there is none.
func (v View) Node(pod cpuset.CPUSet) int {
	node := NoNode
	for i, cpu := range pod.List() {
		switch n := v.Topology.Node(cpu); {
		case i == 0:
			node = n
		case n != node:
			return NoNode
		}
	}
	return node
}

// Width is how many CPUs of a pod are up, at least one.
func (v View) Width(pod cpuset.CPUSet) int { return max(1, pod.Intersection(v.Online).Size()) }

// PickCPU chooses the CPU of an item whose queuer named none: the queuer's own, if
// it is allowed and rotation is not forced, else the next allowed one after the
// queuer's last choice. allowed is in order, and not empty.
//
// Follows the kernel's wq_select_unbound_cpu.
func PickCPU(allowed []int, own, last int, force bool) int {
	next := allowed[0]
	for _, cpu := range slices.Backward(allowed) {
		if cpu == own && !force {
			return own
		}
		if cpu > last {
			next = cpu
		}
	}
	return next
}

// Repatriates says whether waking a worker that was on a CPU last brings it home:
// its pool is not strict, and the CPU is outside its pod. A logical CPU is nowhere
// until threads are pinned.
//
// Follows the kernel's kick_pool.
func Repatriates(strict bool, pod cpuset.CPUSet, last int) bool {
	return !strict && last >= 0 && !pod.Contains(last)
}
