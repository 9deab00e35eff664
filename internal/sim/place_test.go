package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/topology"
)

// crypt is the load of the affinity experiment.
func crypt(issuers int) sim.Load {
	m := sim.DefaultAffinity()
	return sim.Load{
		Issuers: issuers, Depth: m.Depth, Burst: m.Burst, Work: m.Crypt, Device: m.Device, Cold: m.Cold, Far: m.Cold,
		SMT: m.SMT, Steal: m.Steal, Migrate: m.Migrate, Move: m.Move, Slice: m.Slice,
	}
}

// On the machine of the affinity experiment the two agree.
func TestPlacementIsAffinity(t *testing.T) {
	if invariants.Enabled {
		t.Skip("it takes long runs")
	}
	top, err := topology.Uniform(1, 4, 3, 2)
	require.NoError(t, err)
	const issuers, seeds = 4, 2
	var rate [3]float64
	for i, s := range scopes {
		for seed := range uint64(seeds) {
			r := sim.Placement{Topology: top, Scope: s.scope, Strict: s.strict, Load: crypt(issuers), Seed: seed + 1, Items: 100_000}.Run()
			require.NoError(t, r.Err)
			rate[i] += r.Rate
		}
	}
	row := affinity(t, issuers, sim.DefaultAffinity(), seeds)
	for i := range scopes {
		want, got := row[i].rate/row[system].rate, rate[i]/rate[system]
		t.Logf("%v strict=%t: %.4f, affinity has %.4f", scopes[i].scope, scopes[i].strict, got, want)
		assert.InDelta(t, want, got, 0.05)
	}
}

// Where items do nothing, what is left is the pools' turns: the contention experiment.
func TestPlacementIsContention(t *testing.T) {
	top, err := topology.Uniform(1, 1, 72, 1)
	require.NoError(t, err)
	load := sim.Load{Issuers: 72, Depth: 1, Device: sim.ContentionThink, Turn: sim.ContentionServe, SMT: 1, Pinned: true}
	for _, scope := range []topology.Scope{topology.ScopeCPU, topology.ScopeCacheShard, topology.ScopeCache} {
		r := sim.Placement{Topology: top, Scope: scope, Load: load, Seed: 1, Items: 20_000}.Run()
		require.NoError(t, r.Err)
		want := sim.Contention{Topology: top, Scope: scope, Think: sim.ContentionThink, Serve: sim.ContentionServe, Items: 20_000, Seed: 1}.Run()
		t.Logf("%v: %.3g items/s, contention has %.3g", scope, r.Rate, want)
		assert.InEpsilon(t, want, r.Rate, 0.1)
	}
}

// A thousand pods are no trouble, and nothing is idle beside what waits.
func TestPlacementOnALargeMachine(t *testing.T) {
	top, err := topology.Uniform(4, 250, 2, 2)
	require.NoError(t, err)
	load := crypt(2000)
	load.Depth = 4
	for _, strict := range []bool{false, true} {
		r := sim.Placement{Topology: top, Scope: topology.ScopeCache, Strict: strict, Load: load, Seed: 1, Items: 20_000}.Run()
		require.NoError(t, r.Err)
		assert.Equal(t, 1000, r.Pods)
		assert.Positive(t, r.Rate)
		if strict {
			assert.Zero(t, r.Away)
		}
	}
}

// Work that is far from its data takes longer, and one pool for all has it far.
func TestPlacementFarMemory(t *testing.T) {
	top, err := topology.Uniform(2, 2, 4, 1)
	require.NoError(t, err)
	load := crypt(4)
	load.Far, load.Turn, load.SMT = 1, 100*time.Nanosecond, 1
	rate := func(scope topology.Scope, far float64) float64 {
		l := load
		l.Far = far
		return sim.Placement{Topology: top, Scope: scope, Strict: true, Load: l, Seed: 1, Items: 20_000}.Run().Rate
	}
	assert.Greater(t, rate(topology.ScopeSystem, 0), 1.1*rate(topology.ScopeSystem, 2))
	assert.InEpsilon(t, rate(topology.ScopeNUMA, 0), rate(topology.ScopeNUMA, 2), 0.1)
}
