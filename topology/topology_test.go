package topology

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"
)

func uniform(t testing.TB, nodes, llcs, cores, threads int) *Topology {
	t.Helper()
	topo, err := Uniform(nodes, llcs, cores, threads)
	require.NoError(t, err)
	return topo
}

func parse(t testing.TB, text string) *Topology {
	t.Helper()
	topo, err := Parse(text)
	require.NoError(t, err)
	return topo
}

func podTexts(topo *Topology, s Scope) []string {
	var texts []string
	for _, pod := range topo.Pods(s) {
		texts = append(texts, pod.CPUs.String())
	}
	return texts
}

func TestPods(t *testing.T) {
	topo := uniform(t, 2, 2, 2, 2)
	assert.Equal(t, 16, topo.NumCPU())
	assert.Equal(t, "0-15", topo.CPUs().String())
	for s, want := range map[Scope][]string{
		ScopeSMT:        {"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"},
		ScopeCache:      {"0-3", "4-7", "8-11", "12-15"},
		ScopeCacheShard: {"0-3", "4-7", "8-11", "12-15"},
		ScopeDefault:    {"0-3", "4-7", "8-11", "12-15"},
		ScopeNUMA:       {"0-7", "8-15"},
		ScopeSystem:     {"0-15"},
	} {
		assert.Equal(t, want, podTexts(topo, s), s)
	}
	assert.Len(t, topo.Pods(ScopeCPU), 16)
	assert.Equal(t, 2, topo.PodOf(ScopeCache, 9))
	assert.Equal(t, 1, topo.Node(9))
}

func TestDefaultScopeIsCacheShard(t *testing.T) {
	topo := uniform(t, 1, 1, 72, 1)
	assert.Equal(t, topo.Pods(ScopeCacheShard), topo.Pods(ScopeDefault))
	assert.Equal(t, topo.PodOf(ScopeCacheShard, 71), topo.PodOf(ScopeDefault, 71))
}

func TestPodNode(t *testing.T) {
	topo := parse(t, "node2=0-1 node5=2-3 llc=0-3")
	assert.Equal(t, 2, topo.Pods(ScopeCPU)[1].Node)
	assert.Equal(t, 5, topo.Pods(ScopeNUMA)[1].Node)
	assert.Equal(t, -1, topo.Pods(ScopeCache)[0].Node, "a cache that spans nodes has none")
	assert.Equal(t, 5, topo.Node(3), "the machine's number, not an index")
	assert.Equal(t, -1, uniform(t, 1, 1, 4, 1).Pods(ScopeSystem)[0].Node, "the system pod never has a node")
}

func TestUnknownCPU(t *testing.T) {
	topo := parse(t, "node0=0,2")
	for _, cpu := range []int{-1, 1, 3, MaxCPUs, math.MaxInt} {
		assert.Equal(t, -1, topo.Node(cpu))
		for _, s := range allScopes {
			assert.Equal(t, -1, topo.PodOf(s, cpu))
		}
	}
}

func TestZeroTopologyIsEmpty(t *testing.T) {
	var topo Topology
	assert.Zero(t, topo.NumCPU())
	assert.True(t, topo.CPUs().IsEmpty())
	assert.Empty(t, topo.Pods(ScopeSystem))
	assert.Equal(t, -1, topo.Node(0))
	assert.Empty(t, topo.String())
	assert.Same(t, &topo, topo.Restrict(1))
	_, err := topo.Mask(cpuset.New(0))
	assert.ErrorIs(t, err, ErrNoCPU)
}

func TestPodsIsTheCallersCopy(t *testing.T) {
	topo := uniform(t, 1, 1, 2, 1)
	topo.Pods(ScopeCPU)[0] = Pod{Node: 99}
	assert.Equal(t, 0, topo.Pods(ScopeCPU)[0].Node)
}

func TestRestrict(t *testing.T) {
	topo := parse(t, "node0=0,2,4,6 node1=1,3,5,7 smt=0,4,1,5+2,6,3,7")
	assert.Equal(t, "0-2", topo.Restrict(3).CPUs().String())
	assert.Equal(t, []string{"0,2", "1"}, podTexts(topo.Restrict(3), ScopeSMT))
	assert.Equal(t, 1, topo.Restrict(0).NumCPU(), "at least one CPU stays")
	assert.Equal(t, 1, topo.Restrict(-5).NumCPU())
	assert.Same(t, topo, topo.Restrict(8))
	assert.Same(t, topo, topo.Restrict(100), "nothing is added")
	assert.Equal(t, 8, topo.NumCPU(), "the original keeps its CPUs")
}

func TestMask(t *testing.T) {
	topo := uniform(t, 2, 1, 4, 1)
	got, err := topo.Mask(cpuset.New(2, 3, 4, 100))
	require.NoError(t, err)
	assert.Equal(t, []string{"2-3", "4"}, podTexts(got, ScopeNUMA))

	all, err := topo.Mask(topo.CPUs())
	require.NoError(t, err)
	assert.Same(t, topo, all)

	_, err = topo.Mask(cpuset.New(100))
	assert.ErrorIs(t, err, ErrNoCPU)
}

func TestUniformBounds(t *testing.T) {
	assert.Equal(t, MaxCPUs, uniform(t, 8, 8, 64, 2).NumCPU())
	for _, tc := range []struct {
		args [4]int
		what string
	}{
		{[4]int{0, 1, 1, 1}, "nodes"},
		{[4]int{1, -1, 1, 1}, "llcs"},
		{[4]int{1, 1, MaxCPUs + 1, 1}, "cores"},
		{[4]int{1, 1, 1, 0}, "threads"},
		{[4]int{8, 8, 64, 3}, "CPUs"},
		{[4]int{MaxCPUs, MaxCPUs, MaxCPUs, MaxCPUs}, "CPUs"},
	} {
		_, err := Uniform(tc.args[0], tc.args[1], tc.args[2], tc.args[3])
		var sizeErr *SizeError
		require.ErrorAs(t, err, &sizeErr)
		assert.Equal(t, tc.what, sizeErr.What)
		assert.ErrorContains(t, err, "want 1 to 8192")
	}
}

func TestConcurrentUse(t *testing.T) {
	topo := uniform(t, 2, 2, 8, 2)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, s := range allScopes {
				assert.True(t, topo.Pods(s)[0].CPUs.Contains(0))
				assert.Equal(t, 0, topo.Restrict(16).PodOf(s, 0))
			}
			assert.NotEmpty(t, topo.String())
		})
	}
	wg.Wait()
}

func TestFirstCPU(t *testing.T) {
	topo := parse(t, "node0=2-3,8-9 node3=0-1,4-7")
	for node, want := range map[int]int{0: 2, 3: 0, 1: -1, -1: -1, 99: -1} {
		assert.Equal(t, want, topo.FirstCPU(node), "node %d", node)
	}
	few, err := topo.Mask(cpuset.New(3, 7))
	require.NoError(t, err)
	assert.Equal(t, 3, few.FirstCPU(0))
	assert.Equal(t, 7, few.FirstCPU(3))
	assert.Zero(t, testing.AllocsPerRun(100, func() { topo.FirstCPU(3) }))
}
