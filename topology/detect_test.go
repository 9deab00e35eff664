package topology

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"
)

func TestDetectThisMachine(t *testing.T) {
	topo, err := Detect()
	require.NoError(t, err)
	assert.Equal(t, min(runtime.NumCPU(), runtime.GOMAXPROCS(0)), topo.NumCPU())
	requireNested(t, topo, ScopeCPU, ScopeSMT, ScopeCacheShard, ScopeCache, ScopeSystem)
	assert.Equal(t, topo.String(), parse(t, topo.String()).String())
}

func TestDetectKeepsTheLowestGOMAXPROCS(t *testing.T) {
	tree := sysfsTree(t, "numa:2 llc:1 core:4")
	for procs, want := range map[int]string{
		1:   "2",
		3:   "2-4",
		6:   "2-7",
		100: "2-7", // more procs than CPUs add nothing
	} {
		topo, err := fromSysfs(sysfs{tree}, cpuset.New(2, 3, 4, 5, 6, 7), procs)
		require.NoError(t, err)
		assert.Equal(t, want, topo.CPUs().String())
	}
}

func TestDetectWithoutCPUs(t *testing.T) {
	_, err := fromSysfs(sysfs{sysfsTree(t, "core:4")}, cpuset.New(), 4)
	assert.ErrorIs(t, err, ErrNoCPU)
}

func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		_, _ = Detect()
	}
}

func BenchmarkUniform(b *testing.B) {
	for b.Loop() {
		_, _ = Uniform(2, 4, 16, 2)
	}
}

func BenchmarkPodOf(b *testing.B) {
	topo := uniform(b, 2, 4, 16, 2)
	for b.Loop() {
		topo.PodOf(ScopeDefault, 200)
	}
}
