package topology

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"
	"pgregory.net/rapid"
)

// anyUnits draws CPUs with whatever groups, contradictions included: build must
// cope with all of them.
var anyUnits = rapid.Custom(func(t *rapid.T) []unit {
	cpus := rapid.SliceOfNDistinct(rapid.IntRange(0, 200), 1, 60, rapid.ID[int]).Draw(t, "cpus")
	few := rapid.IntRange(0, rapid.SampledFrom([]int{0, 3, 100}).Draw(t, "groups"))
	units := make([]unit, len(cpus))
	for i, cpu := range cpus {
		units[i] = unit{cpu: cpu, node: few.Draw(t, "node"), llc: few.Draw(t, "llc"), core: few.Draw(t, "core")}
	}
	return units
})

// anyUniform draws a regular machine, maybe with CPUs taken away.
var anyUniform = rapid.Custom(func(t *rapid.T) *Topology {
	n := rapid.IntRange(1, 4)
	topo, err := Uniform(n.Draw(t, "nodes"), n.Draw(t, "llcs"), rapid.IntRange(1, 40).Draw(t, "cores"), n.Draw(t, "threads"))
	require.NoError(t, err)
	kept := rapid.SliceOf(rapid.IntRange(0, topo.NumCPU()-1)).Draw(t, "kept")
	if masked, err := topo.Mask(cpuset.New(kept...)); err == nil {
		return masked
	}
	return topo
})

var anyTopology = rapid.Custom(func(t *rapid.T) *Topology {
	if rapid.Bool().Draw(t, "uniform") {
		return anyUniform.Draw(t, "machine")
	}
	return build(anyUnits.Draw(t, "units"))
})

func TestEveryCPUIsInOnePodOfEachScope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topo := anyTopology.Draw(t, "topology")
		for _, s := range allScopes {
			pods, seen, last := topo.Pods(s), cpuset.New(), -1
			for i, pod := range pods {
				cpus := pod.CPUs.List()
				require.NotEmpty(t, cpus, s)
				require.Greater(t, cpus[0], last, "%v pods are ordered by lowest CPU", s)
				last = cpus[0]
				require.True(t, seen.Intersection(pod.CPUs).IsEmpty(), "%v pods overlap", s)
				seen = seen.Union(pod.CPUs)
				for _, cpu := range cpus {
					require.Equal(t, i, topo.PodOf(s, cpu), s)
					if pod.Node >= 0 {
						require.Equal(t, pod.Node, topo.Node(cpu), s)
					}
				}
			}
			require.True(t, seen.Equals(topo.CPUs()), s)
		}
		require.Len(t, topo.Pods(ScopeSystem), 1)
		require.Len(t, topo.Pods(ScopeCPU), topo.NumCPU())
	})
}

func requireNested(t require.TestingT, topo *Topology, scopes ...Scope) {
	for i := range len(scopes) - 1 {
		for _, inner := range topo.Pods(scopes[i]) {
			outer := topo.Pods(scopes[i+1])[topo.PodOf(scopes[i+1], inner.CPUs.List()[0])]
			require.True(t, inner.CPUs.IsSubsetOf(outer.CPUs), "%v %v in %v %v", scopes[i], inner.CPUs, scopes[i+1], outer.CPUs)
		}
	}
}

func TestScopesNest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requireNested(t, anyTopology.Draw(t, "any"), ScopeCPU, ScopeSMT, ScopeCacheShard, ScopeCache, ScopeSystem)
		requireNested(t, anyUniform.Draw(t, "uniform"), ScopeCache, ScopeNUMA, ScopeSystem)
	})
}

func TestShardsAreEvenAndNearEight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topo := anyTopology.Draw(t, "topology")
		coresIn := func(set cpuset.CPUSet) (n int) {
			for _, core := range topo.Pods(ScopeSMT) {
				if core.CPUs.IsSubsetOf(set) {
					n++
				}
			}
			return n
		}
		for i, cache := range topo.Pods(ScopeCache) {
			var sizes []int
			for _, shard := range topo.Pods(ScopeCacheShard) {
				if topo.PodOf(ScopeCache, shard.CPUs.List()[0]) == i {
					sizes = append(sizes, coresIn(shard.CPUs))
				}
			}
			cores := coresIn(cache.CPUs)
			require.IsNonIncreasing(t, append(sizes, 0), "larger shards come first")
			require.LessOrEqual(t, sizes[0]-sizes[len(sizes)-1], 1)
			require.LessOrEqual(t, sizes[0], 11)
			if cores >= 12 {
				require.GreaterOrEqual(t, sizes[len(sizes)-1], 6)
			} else {
				require.Equal(t, []int{cores}, sizes)
			}
		}
	})
}

func TestStringRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topo := anyTopology.Draw(t, "topology")
		again, err := Parse(topo.String())
		require.NoError(t, err)
		require.Equal(t, topo.units, again.units, topo.String())
	})
}

func TestRestrictKeepsTheLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topo := anyTopology.Draw(t, "topology")
		n := rapid.IntRange(1, topo.NumCPU()).Draw(t, "n")
		lowest := cpuset.New(topo.CPUs().List()[:n]...)
		masked, err := topo.Mask(lowest)
		require.NoError(t, err)
		assert.Equal(t, masked, topo.Restrict(n))
		assert.True(t, lowest.Equals(masked.CPUs()))
	})
}
