package topology

import (
	"cmp"
	"slices"

	"k8s.io/utils/cpuset"
)

// unit is one CPU and where it sits. Once built, a cache and a core are named
// by their lowest CPU; before that any numbers do that tell them apart.
type unit struct {
	cpu  int
	node int // the machine's number
	llc  int
	core int // counts only within its cache
}

// partition is the pods of one scope.
type partition struct {
	pods []Pod
	of   []int16 // CPU number → index of its pod, -1 for a hole
}

// build makes a topology of units, which it takes over: CPU numbers are
// distinct and within bounds, and there is at least one. The other fields may
// be anything, for CPUs are grouped by equal values: whatever they say, each
// CPU ends in one pod of each scope. A core that lies across two caches
// becomes two cores, so that cores nest in caches.
func build(units []unit) *Topology {
	slices.SortFunc(units, func(a, b unit) int { return cmp.Compare(a.cpu, b.cpu) })
	canonicalise(units)

	t := &Topology{units: units}
	keys := func(key func(unit) int) []int {
		ks := make([]int, len(units))
		for i, u := range units {
			ks[i] = key(u)
		}
		return ks
	}
	cpus := keys(func(u unit) int { return u.cpu })
	t.cpus = cpuset.New(cpus...)
	t.scopes[ScopeCPU] = group(units, cpus)
	t.scopes[ScopeSMT] = group(units, keys(func(u unit) int { return u.core }))
	t.scopes[ScopeCache] = group(units, keys(func(u unit) int { return u.llc }))
	t.scopes[ScopeCacheShard] = group(units, shardKeys(units))
	t.scopes[ScopeNUMA] = group(units, keys(func(u unit) int { return u.node }))
	t.scopes[ScopeSystem] = group(units, make([]int, len(units)))
	t.scopes[ScopeSystem].pods[0].Node = -1
	return t
}

// canonicalise names each cache and core by its lowest CPU. Units are sorted,
// so the first CPU met is the lowest.
func canonicalise(units []unit) {
	type core struct{ llc, core int }
	llcs, cores := make(map[int]int), make(map[core]int)
	for i := range units {
		u := &units[i]
		c := core{u.llc, u.core}
		if _, met := llcs[u.llc]; !met {
			llcs[u.llc] = u.cpu
		}
		if _, met := cores[c]; !met {
			cores[c] = u.cpu
		}
		u.llc, u.core = llcs[u.llc], cores[c]
	}
}

// group puts units with equal keys into one pod. Pods come out in the order of
// their lowest CPU because the units are sorted.
func group(units []unit, keys []int) partition {
	of := make([]int16, units[len(units)-1].cpu+1)
	for i := range of {
		of[i] = -1
	}
	index := make(map[int]int)
	var members [][]int
	var nodes []int
	for i, u := range units {
		pod, met := index[keys[i]]
		if !met {
			pod = len(members)
			index[keys[i]] = pod
			members, nodes = append(members, nil), append(nodes, u.node)
		}
		members[pod] = append(members[pod], u.cpu)
		if nodes[pod] != u.node {
			nodes[pod] = -1
		}
		of[u.cpu] = int16(pod)
	}
	pods := make([]Pod, len(members))
	for i := range pods {
		pods[i] = Pod{CPUs: cpuset.New(members[i]...), Node: nodes[i]}
	}
	return partition{pods: pods, of: of}
}
