package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/topology"
)

// 72 CPUs under one cache: {cpu, smt} and then cache_shard are far ahead of
// {cache, numa, system}, whose CPUs all share one pool.
func TestContentionOrderOfScopes(t *testing.T) {
	top, err := topology.Uniform(1, 1, 72, 1)
	require.NoError(t, err)
	rate := map[topology.Scope]float64{}
	for _, scope := range []topology.Scope{
		topology.ScopeCPU, topology.ScopeSMT, topology.ScopeCacheShard,
		topology.ScopeCache, topology.ScopeNUMA, topology.ScopeSystem,
	} {
		rate[scope] = sim.Contention{
			Topology: top, Scope: scope, Think: sim.ContentionThink, Serve: sim.ContentionServe, Items: 50_000, Seed: 1,
		}.Run()
		t.Logf("%v: %.2f M items/s", scope, rate[scope]/1e6)
	}
	// What the two times are fitted to.
	assert.InEpsilon(t, 3.43e6, rate[topology.ScopeCPU], 0.03)
	assert.InEpsilon(t, 0.60e6, rate[topology.ScopeCache], 0.03)
	// What follows.
	assert.InEpsilon(t, 2.94e6, rate[topology.ScopeCacheShard], 0.15, "published, and not in the fit")
	assert.Less(t, rate[topology.ScopeCacheShard], rate[topology.ScopeSMT])
	assert.Greater(t, rate[topology.ScopeCacheShard], 4*rate[topology.ScopeCache])
	assert.InEpsilon(t, rate[topology.ScopeCache], rate[topology.ScopeSystem], 0.03)
	assert.InEpsilon(t, rate[topology.ScopeCache], rate[topology.ScopeNUMA], 0.03)
	assert.InEpsilon(t, rate[topology.ScopeCPU], rate[topology.ScopeSMT], 0.03)
}
