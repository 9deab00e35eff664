package topology

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"k8s.io/utils/cpuset"
)

// sysfs reads Linux's description of the machine; fsys is rooted at
// /sys/devices/system.
//
// It never fails: the CPUs come from the process's affinity mask, and only how
// they are grouped comes from here, so a wrong group costs some locality and
// an error would cost the program. A file that is missing or is no CPU list
// counts as not there:
//
//   - no list of online CPUs, or none of them allowed: all allowed CPUs count;
//   - no node at all: node 0 has every CPU; a CPU in no node: the lowest node;
//   - no cache beyond the first level: the CPUs of that node without one share one;
//   - no siblings: the CPU is a core of its own.
//
// Where files contradict each other the first word counts: the lower node, and
// for caches and cores the list of the lower CPU.
type sysfs struct {
	fsys fs.FS
}

// read returns a unit for each allowed CPU that is online.
func (s sysfs) read(allowed cpuset.CPUSet) []unit {
	if online, ok := s.list("cpu/online"); ok {
		if both := allowed.Intersection(cpuset.New(online...)); !both.IsEmpty() {
			allowed = both
		}
	}
	cpus := allowed.List()
	nodes := s.nodes()
	llcs := claim(cpus, s.llc)
	cores := claim(cpus, s.core)

	units := make([]unit, len(cpus))
	for i, cpu := range cpus {
		u := unit{cpu: cpu, node: nodes.of(cpu), core: cpu}
		if core, ok := cores[cpu]; ok {
			u.core = core
		}
		u.llc = -1 - u.node // below all CPU numbers, hence no listed cache's key
		if llc, ok := llcs[cpu]; ok {
			u.llc = llc
		}
		units[i] = u
	}
	return units
}

// claim groups CPUs by the lists that read returns, in order: a CPU that is in
// no group yet starts one and takes along those of its list that are in none.
// So a list is read once a group, not once a CPU. CPUs without a usable list,
// which is one that they are in themselves, are left out.
func claim(cpus []int, read func(cpu int) ([]int, bool)) map[int]int {
	groups := make(map[int]int, len(cpus))
	for _, cpu := range cpus {
		if _, taken := groups[cpu]; taken {
			continue
		}
		list, ok := read(cpu)
		if !ok || !slices.Contains(list, cpu) {
			continue
		}
		for _, member := range list {
			if _, taken := groups[member]; !taken {
				groups[member] = cpu
			}
		}
	}
	return groups
}

// nodeMap maps CPUs to nodes.
type nodeMap struct {
	nodes  map[int]int
	lowest int // the lowest node with CPUs, 0 if there is none
}

func (m nodeMap) of(cpu int) int {
	if node, ok := m.nodes[cpu]; ok {
		return node
	}
	return m.lowest
}

// nodes reads the CPUs of each node. Nodes without CPUs have memory only.
func (s sysfs) nodes() nodeMap {
	m := nodeMap{nodes: make(map[int]int)}
	found := s.numbered("node", "node")
	for _, node := range slices.Backward(found) { // downwards: the lowest has the last word
		cpus, _ := s.list(fmt.Sprintf("node/node%d/cpulist", node))
		for _, cpu := range cpus {
			m.nodes[cpu], m.lowest = node, node
		}
	}
	return m
}

// llc returns the CPUs that share the CPU's cache of the highest level. A
// cache of the first level belongs to one core and says nothing about groups.
func (s sysfs) llc(cpu int) ([]int, bool) {
	dir := fmt.Sprintf("cpu/cpu%d/cache", cpu)
	best, level := "", 1
	for _, i := range s.numbered(dir, "index") {
		index := fmt.Sprintf("%s/index%d", dir, i)
		if kind, _ := s.line(index + "/type"); kind == "Instruction" {
			continue
		}
		if l, ok := s.list(index + "/level"); ok && len(l) == 1 && l[0] > level {
			best, level = index, l[0]
		}
	}
	if best == "" {
		return nil, false
	}
	return s.list(best + "/shared_cpu_list")
}

// core returns the threads of the CPU's core, under the old name of the file
// or else the new one.
func (s sysfs) core(cpu int) ([]int, bool) {
	dir := fmt.Sprintf("cpu/cpu%d/topology/", cpu)
	if list, ok := s.list(dir + "thread_siblings_list"); ok {
		return list, true
	}
	return s.list(dir + "core_cpus_list")
}

// numbered returns in order the numbers of the entries of dir whose names are
// prefix and a number.
func (s sysfs) numbered(dir, prefix string) []int {
	entries, _ := fs.ReadDir(s.fsys, dir)
	var numbers []int
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		sc := scanner{text: digits}
		if n, err := sc.number(0, MaxCPUs-1); ok && err == nil && sc.end() {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// list reads a file that holds a list of numbers.
func (s sysfs) list(name string) ([]int, bool) {
	text, ok := s.line(name)
	if !ok {
		return nil, false
	}
	sc := scanner{text: text}
	list, err := sc.list()
	return list, err == nil && sc.end()
}

// line reads a file without the blanks around its text.
func (s sysfs) line(name string) (string, bool) {
	text, err := fs.ReadFile(s.fsys, name)
	return strings.TrimSpace(string(text)), err == nil
}
