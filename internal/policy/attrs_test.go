package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/topology"
)

func view(t require.TestingT, nodes, llcs, cores int) View {
	topo, err := topology.Uniform(nodes, llcs, cores, 1)
	require.NoError(t, err)
	return View{Topology: topo, Unbound: topo.CPUs(), Online: topo.CPUs(), Scope: topology.ScopeCache}
}

func TestLayoutOfAttributes(t *testing.T) {
	t.Parallel()
	v := view(t, 1, 4, 2) // caches 0-1 2-3 4-5 6-7
	masks := func(l Layout) (texts []string) {
		for _, p := range l.Pods {
			texts = append(texts, p.String())
		}
		return texts
	}
	require.Equal(t, []string{"0-1", "2-3", "4-5", "6-7"}, masks(v.Layout(Attrs{}, false)), "the default scope")
	require.Equal(t, []string{"0-7"}, masks(v.Layout(Attrs{}, true)), "an ordered queue has one pod")
	require.Equal(t, []string{"0-7"}, masks(v.Layout(Attrs{Scope: topology.ScopeSystem}, false)))

	l := v.Layout(Attrs{CPUs: cpuset.New(1, 2, 3)}, false)
	require.Equal(t, []string{"1", "2-3", "1-3"}, masks(l), "CPUs whose pod is not allowed go to all that is")
	require.Equal(t, []int{0, 0, 1, 1, 2, 2, 2, 2}, l.Route)
	require.Equal(t, []int{1, 2, 3}, l.Allowed)

	v.Unbound = cpuset.New(4, 5, 6)
	require.Equal(t, "4-6", v.Effective(cpuset.New(0, 1)).String(), "row 103: a disjoint mask")
	require.Equal(t, "5", v.Effective(cpuset.New(5, 7)).String())

	v.Online = cpuset.New(0, 1, 4, 5)
	l = v.Layout(Attrs{}, false)
	require.Equal(t, []string{"4-6", "4-5"}, masks(l), "6 is down, and 0-3 are not allowed")
	require.Equal(t, []int{4, 5}, l.Allowed)
	require.Equal(t, 2, v.Width(l.Pods[0]))
}

// Every CPU has a pod of allowed CPUs, whatever the masks are.
func TestLayoutServesEveryCPU(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := view(t, rapid.IntRange(1, 2).Draw(t, "nodes"), rapid.IntRange(1, 3).Draw(t, "llcs"), rapid.IntRange(1, 3).Draw(t, "cores"))
		mask := func(name string) cpuset.CPUSet {
			return cpuset.New(rapid.SliceOf(rapid.IntRange(0, v.Topology.NumCPU()-1)).Draw(t, name)...)
		}
		if m := mask("unbound"); !m.IsEmpty() {
			v.Unbound = m
		}
		v.Online = mask("online")
		a := Attrs{CPUs: mask("cpus"), Scope: topology.Scope(rapid.IntRange(0, 6).Draw(t, "scope"))}
		l := v.Layout(a, rapid.Bool().Draw(t, "ordered"))
		for cpu := range v.Topology.NumCPU() {
			pod := l.Pods[l.Route[cpu]]
			require.False(t, pod.IsEmpty())
			require.True(t, pod.IsSubsetOf(v.Effective(a.CPUs)))
		}
		require.NotEmpty(t, l.Allowed)
	})
}

// Rows 11 and 12.
func TestPickCPU(t *testing.T) {
	t.Parallel()
	allowed := []int{2, 3, 6}
	require.Equal(t, 3, PickCPU(allowed, 3, 6, false), "the queuer's own")
	picks, last := []int(nil), 0
	for range 5 {
		last = PickCPU(allowed, 0, last, false)
		picks = append(picks, last)
	}
	require.Equal(t, []int{2, 3, 6, 2, 3}, picks, "outside: the next after the last")
	require.Equal(t, 6, PickCPU(allowed, 3, 3, true), "forced")
}

// Row 104.
func TestRepatriates(t *testing.T) {
	t.Parallel()
	pod := cpuset.New(2, 3)
	require.True(t, Repatriates(false, pod, 1))
	require.False(t, Repatriates(false, pod, 2), "it is at home")
	require.False(t, Repatriates(true, pod, 1), "a strict pool's worker cannot be away")
	require.False(t, Repatriates(false, cpuset.New(0, 1, 2, 3), 1), "nobody is outside the system's pod")
	require.False(t, Repatriates(false, pod, -1), "nobody knows where it was")
}
