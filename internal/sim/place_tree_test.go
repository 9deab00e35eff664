package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/topology"
)

// The tree's counts are those that one would count, whatever happens; and what is
// found is as good as any.
func TestGroveCounts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"core:1", "numa:2 llc:2 core:10 smt:2", "numa:2 llc:1 core:3,9 smt:1 | core:2 smt:4"} {
		top, err := topology.Parse(text)
		require.NoError(t, err)
		p := newPlace(&Placement{Topology: top, Scope: topology.ScopeCache, Load: Load{SMT: 0.6}})
		r := rand.New(rand.NewPCG(1, 1))
		for range 300 {
			x := p.cpus[r.IntN(len(p.cpus))]
			if x.task == nil {
				x.task = &task{}
			} else {
				x.task = nil
			}
			x.at.free(x.task == nil)
			for _, leaf := range p.leaf {
				for g := leaf; g != nil; g = g.up {
					checkGrove(t, p, g)
				}
			}
		}
	}
}

func checkGrove(t *testing.T, p *place, g *grove) {
	t.Helper()
	idle, cores := 0, map[int]bool{}
	for _, x := range p.cpus {
		if g.holds(x) {
			if x.task == nil {
				idle++
			}
			if x.task == nil && x.coreIdle() {
				cores[x.core] = true
			}
		}
	}
	require.Equal(t, idle, g.idle)
	found := g.findIdle()
	require.Equal(t, idle > 0, found != nil)
	if g.cpu == nil {
		require.Len(t, cores, g.cores)
	}
	if found != nil {
		require.Nil(t, found.task)
		require.True(t, g.holds(found))
		if g.cpu == nil && !g.core {
			require.Equal(t, len(cores) > 0, found.coreIdle(), "an idle core, if there is one")
		}
	}
}

// What waits is found where it waits, the near before the far, and only when it may
// be taken.
func TestGroveLists(t *testing.T) {
	t.Parallel()
	top, err := topology.Parse("numa:2 llc:2 core:2")
	require.NoError(t, err)
	p := newPlace(&Placement{Topology: top, Scope: topology.ScopeCache, Load: Load{SMT: 1}})
	strict, loose, mover := &task{}, &task{steal: true, at: 10}, &task{mover: true}
	for i, x := range []*task{strict, loose, mover} {
		x.home = p.homes[i]
		x.home.wait(x)
	}
	require.Nil(t, p.root.stealable(14, 5*time.Nanosecond))
	require.Same(t, loose, p.root.stealable(15, 5*time.Nanosecond))
	require.Same(t, mover, p.root.mover())
	require.Nil(t, p.homes[0].mover())
	require.True(t, loose.home.take(loose))
	require.False(t, loose.home.take(loose))
	require.Nil(t, p.root.stealable(1000, 0))
	require.True(t, mover.home.take(mover))
	require.Nil(t, p.root.mover())
	require.Zero(t, p.root.steals+p.root.movable)
}
