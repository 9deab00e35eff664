package topology

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/utils/cpuset"
)

// MaxCPUs bounds the number of CPUs of a topology, their numbers and the
// numbers of its nodes, all of which are below it.
const MaxCPUs = 8192

// ErrNoCPU is returned where a topology would have no CPU at all.
var ErrNoCPU = errors.New("topology: no CPU left")

// SizeError reports a number that is outside its bounds.
type SizeError struct {
	What     string // what was counted: "nodes", "llcs", "cores", "threads" or "CPUs"
	Got      int
	Min, Max int // the bounds, both allowed
}

// Error names the number and its bounds.
func (e *SizeError) Error() string {
	return fmt.Sprintf("topology: %d %s, want %d to %d", e.Got, e.What, e.Min, e.Max)
}

// Pod is a group of CPUs. Its set is immutable, so that pods may be copied and
// shared freely.
type Pod struct {
	CPUs cpuset.CPUSet
	Node int // the memory node of all its CPUs; -1 when it spans nodes, and always for the system pod
}

// Topology is a set of CPUs divided into pods, once for each scope. It is
// immutable and safe for concurrent use; pass it by pointer. Make one with
// [Detect], [Parse] or [Uniform]: the zero value has no CPUs and no pods.
type Topology struct {
	units  []unit // by CPU number
	cpus   cpuset.CPUSet
	scopes [numScopes]partition
}

// CPUs returns the logical CPUs of the topology: for a detected one, those the
// process may use. The set is immutable; nothing is copied.
func (t *Topology) CPUs() cpuset.CPUSet { return t.cpus }

// NumCPU returns the number of CPUs.
func (t *Topology) NumCPU() int { return len(t.units) }

// Pods returns the pods of a scope, ordered by their lowest CPU. Every CPU is
// in exactly one of them. The slice is the caller's; it costs one allocation.
// A value that is no scope has no pods.
func (t *Topology) Pods(scope Scope) []Pod {
	return slices.Clone(t.scope(scope).pods)
}

// PodOf returns the index in [Topology.Pods] of the pod that holds the CPU, or
// -1 for a CPU the topology does not have and for a value that is no scope. It
// costs a few nanoseconds and allocates nothing.
func (t *Topology) PodOf(scope Scope, cpu int) int {
	p := t.scope(scope)
	if cpu < 0 || cpu >= len(p.of) {
		return -1
	}
	return int(p.of[cpu])
}

// Node returns the memory node of a CPU, or -1 for a CPU the topology does not
// have. Nodes keep the machine's numbers, which may have holes: a node is not
// an index into Pods(ScopeNUMA).
func (t *Topology) Node(cpu int) int {
	pod := t.PodOf(ScopeNUMA, cpu)
	if pod < 0 {
		return -1
	}
	return t.scopes[ScopeNUMA].pods[pod].Node
}

// FirstCPU returns the lowest CPU of a memory node, or -1 for a node without
// CPUs. It looks at each CPU, and allocates nothing.
func (t *Topology) FirstCPU(node int) int {
	for _, u := range t.units {
		if u.node == node {
			return u.cpu
		}
	}
	return -1
}

// Restrict returns the topology of the n lowest CPUs: t itself when it has no
// more than n. A topology keeps at least one CPU, so n below 1 counts as 1.
// What is left is divided anew: a cache that lost cores has shards by what
// remains. It costs as much as building a topology of n CPUs.
func (t *Topology) Restrict(n int) *Topology {
	n = max(n, 1)
	if n >= len(t.units) {
		return t
	}
	return build(slices.Clone(t.units[:n]))
}

// Mask returns the topology of those CPUs that are also in set, divided anew
// as by [Topology.Restrict]; t itself when that is all of them. CPUs in set
// that t does not have are ignored; when none is left the error is [ErrNoCPU].
func (t *Topology) Mask(set cpuset.CPUSet) (*Topology, error) {
	var units []unit
	for _, u := range t.units {
		if set.Contains(u.cpu) {
			units = append(units, u)
		}
	}
	switch len(units) {
	case 0:
		return nil, ErrNoCPU
	case len(t.units):
		return t, nil
	}
	return build(units), nil
}

func (t *Topology) scope(s Scope) *partition {
	switch {
	case s == ScopeDefault:
		s = ScopeCacheShard
	case !s.Valid():
		return &partition{}
	}
	return &t.scopes[s]
}
