package load

import (
	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/tests/peers/system"
	"github.com/cmwq/cmwq/topology"
)

// scopeOrder are the affinity scopes, from the most pools to the fewest.
var scopeOrder = []topology.Scope{
	topology.ScopeCPU, topology.ScopeSMT, topology.ScopeCacheShard,
	topology.ScopeCache, topology.ScopeNUMA, topology.ScopeSystem,
}

// scopes is a simulation, since it takes 72 CPUs: how many items a second go through
// the pools of a scope when each CPU queues an item, waits for it, and begins again.
func scopes() []Workload {
	return []Workload{{
		ID: "scopes", Group: "scopes", Title: "contention for pools with 72 CPUs under one cache (simulated)",
		Figures: scopeFigures(), Exact: true, Skip: onlyItems,
		Run: func(env Env, _ system.System) ([]float64, error) {
			top, err := topology.Uniform(1, 1, manyCPUs, 1)
			if err != nil {
				return nil, err
			}
			v := make([]float64, len(scopeOrder))
			for i, s := range scopeOrder {
				v[i] = sim.Contention{
					Topology: top, Scope: s, Think: sim.ContentionThink, Serve: sim.ContentionServe,
					Items: env.pick(50_000, 10_000), Seed: 1,
				}.Run() / 1e6
			}
			return v, nil
		},
	}, scopesHere()}
}

func scopeFigures() []Figure {
	all := make([]Figure, len(scopeOrder))
	for i, s := range scopeOrder {
		all[i] = Figure{s.String(), "M items/s", true}
	}
	return all
}

func onlyItems(s system.System) string {
	if s.Name != "cmwq item" {
		return "it has no affinity scopes"
	}
	return ""
}
