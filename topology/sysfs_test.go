package topology

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"
)

// sysfsTree writes the files a Linux kernel would show for a machine given in
// the text form: every CPU has a data and an instruction cache of its own, a
// second level a core and a third a cache.
func sysfsTree(t testing.TB, text string) fstest.MapFS {
	topo, tree := parse(t, text), fstest.MapFS{}
	put := func(text, name string, args ...any) {
		tree[fmt.Sprintf(name, args...)] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	put(topo.CPUs().String(), "cpu/online")
	for _, node := range topo.Pods(ScopeNUMA) {
		put(node.CPUs.String(), "node/node%d/cpulist", node.Node)
	}
	for _, cpu := range topo.CPUs().List() {
		own, core, llc := cpuset.New(cpu), topo.Pods(ScopeSMT)[topo.PodOf(ScopeSMT, cpu)].CPUs, topo.Pods(ScopeCache)[topo.PodOf(ScopeCache, cpu)].CPUs
		put(core.String(), "cpu/cpu%d/topology/thread_siblings_list", cpu)
		for i, c := range []struct {
			level, kind string
			shared      cpuset.CPUSet
		}{{"1", "Data", own}, {"1", "Instruction", own}, {"2", "Unified", core}, {"3", "Unified", llc}} {
			put(c.level, "cpu/cpu%d/cache/index%d/level", cpu, i)
			put(c.kind, "cpu/cpu%d/cache/index%d/type", cpu, i)
			put(c.shared.String(), "cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, i)
		}
	}
	return tree
}

func all(n int) cpuset.CPUSet {
	cpus := make([]int, n)
	for i := range cpus {
		cpus[i] = i
	}
	return cpuset.New(cpus...)
}

func readTree(t testing.TB, tree fstest.MapFS, allowed cpuset.CPUSet) string {
	topo, err := fromSysfs(sysfs{tree}, allowed, MaxCPUs)
	require.NoError(t, err)
	return topo.String()
}

func TestSysfsMachines(t *testing.T) {
	for name, text := range map[string]string{
		"one CPU":                         "numa:1 llc:1 core:1 smt:1",
		"one socket without SMT":          "numa:1 llc:1 core:8 smt:1",
		"two sockets, SMT, two LLCs each": "numa:2 llc:2 core:6 smt:2",
		"threads numbered last":           "node0=0-3,8-11 node1=4-7,12-15 smt=0-7+8-15",
		"nodes interleaved":               "node0=0-14/2 node1=1-15/2",
		"holes in CPU and node numbers":   "node1=0-2,6-8 node4=20-23",
		"performance and economy cores":   "node0=0-11 llc=0-7 llc=8-11 smt=0-6/2+1-7/2",
		"a cache that spans nodes":        "node0=0-3 node1=4-7 llc=0-7",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, text, readTree(t, sysfsTree(t, text), all(64)))
		})
	}
}

func TestSysfsAllowedCPUsOnly(t *testing.T) {
	tree := sysfsTree(t, "numa:2 llc:1 core:4 smt:2")
	assert.Equal(t, "node0=3-7 node1=8 smt=4,6+5,7", readTree(t, tree, cpuset.New(3, 4, 5, 6, 7, 8)))
}

func TestSysfsOfflineCPUs(t *testing.T) {
	tree := sysfsTree(t, "node0=0-1,4-7 smt=4,6+5,7")
	assert.Equal(t, "node0=0-1,4-7 smt=4,6+5,7", readTree(t, tree, all(8)))

	tree["cpu/online"].Data = []byte("100-101\n") // none of ours: not believed
	assert.Equal(t, all(8).String(), cpusOf(readTree(t, tree, all(8))))
}

func cpusOf(text string) string {
	topo, _ := Parse(text)
	return topo.CPUs().String()
}

// What is missing or garbage makes groups coarser and is never an error.
func TestSysfsDegrades(t *testing.T) {
	const machine = "numa:2 llc:2 core:2 smt:2"
	without := func(part string) func(fstest.MapFS) {
		return func(tree fstest.MapFS) {
			maps.DeleteFunc(tree, func(name string, _ *fstest.MapFile) bool { return strings.Contains(name, part) })
		}
	}
	with := func(part, text string) func(fstest.MapFS) {
		return func(tree fstest.MapFS) {
			for name, file := range tree {
				if strings.Contains(name, part) {
					file.Data = []byte(text)
				}
			}
		}
	}
	for _, tc := range []struct {
		name  string
		spoil func(fstest.MapFS)
		want  string
	}{
		{"no files at all", without(""), "numa:1 llc:1 core:16 smt:1"},
		{"no list of online CPUs", without("cpu/online"), machine},
		{"no nodes", without("node/"), "numa:1 llc:4 core:2 smt:2"},
		{"no caches: one a node", without("cache/"), "numa:2 llc:1 core:4 smt:2"},
		{"no caches and no nodes: one", func(tree fstest.MapFS) { without("node/")(tree); without("cache/")(tree) }, "numa:1 llc:1 core:8 smt:2"},
		{"first-level caches only: one a node", func(tree fstest.MapFS) { without("index2")(tree); without("index3")(tree) }, "numa:2 llc:1 core:4 smt:2"},
		{"second-level caches at most", without("index3"), "numa:2 llc:4 core:1 smt:2"},
		{"no siblings", without("topology/"), "numa:2 llc:2 core:4 smt:1"},
		{"a node is missing: its CPUs join the lowest", without("node/node1"), "numa:1 llc:4 core:2 smt:2"},
		{"a node has no CPUs", func(tree fstest.MapFS) { tree["node/node7/cpulist"] = &fstest.MapFile{Data: []byte("\n")} }, machine},
		{"nodes disagree: the lower one counts", with("node1", "0-15"), machine},
		{"some caches missing", without("cpu/cpu1/cache"), machine},
		{"one node's caches missing", func(tree fstest.MapFS) {
			for cpu := range 8 {
				without(fmt.Sprintf("cpu/cpu%d/cache", cpu))(tree)
			}
		}, "numa:1 llc:1 core:4 smt:2 | numa:1 llc:2 core:2 smt:2"},
		{"cache lists without their CPU", with("index3/shared", "99"), "numa:2 llc:1 core:4 smt:2"},
		{"garbage levels", with("level", "high"), "numa:2 llc:1 core:4 smt:2"},
		{"garbage everywhere", with("", "\x00garbage-,1--2"), "numa:1 llc:1 core:16 smt:1"},
		{"numbers too large", with("", "0-99999999999999999999"), "numa:1 llc:1 core:16 smt:1"},
		{"siblings in two caches stay apart", with("topology/", "0-15"), "numa:2 llc:2 core:1 smt:4"},
		{"odd names", func(tree fstest.MapFS) {
			tree["node/nodes"] = &fstest.MapFile{Data: []byte("0")}
			tree["node/0"] = &fstest.MapFile{Data: []byte("0")}
			tree["cpu/cpu0/cache/indexes/level"] = &fstest.MapFile{Data: []byte("9")}
		}, machine},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tree := sysfsTree(t, machine)
			tc.spoil(tree)
			assert.Equal(t, tc.want, readTree(t, tree, all(16)))
		})
	}
}

func TestSysfsNewNameOfSiblings(t *testing.T) {
	tree := sysfsTree(t, "core:4 smt:2")
	for name, file := range maps.Clone(tree) {
		if renamed := strings.Replace(name, "thread_siblings_list", "core_cpus_list", 1); renamed != name {
			delete(tree, name)
			tree[renamed] = file
		}
	}
	assert.Equal(t, "numa:1 llc:1 core:4 smt:2", readTree(t, tree, all(8)))
}
