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

// scopes are the columns of the published tables, scenarios their rows.
var (
	scopes = []struct {
		scope  topology.Scope
		strict bool
	}{{topology.ScopeSystem, false}, {topology.ScopeCache, false}, {topology.ScopeCache, true}}
	issuerCounts = []int{24, 8, 4} // issuers
)

const (
	system = iota
	cache
	strict
)

type cell struct {
	rate, cpu   float64
	repatriated int64
}

// affinity runs one scenario with each scope; rates are sums over the seeds.
func affinity(t *testing.T, issuers int, m sim.AffinityModel, seeds uint64) (row [3]cell) {
	t.Helper()
	top, err := topology.Uniform(1, 4, 3, 2)
	require.NoError(t, err)
	for i, s := range scopes {
		for seed := range seeds {
			r := sim.Affinity{
				Topology: top, Scope: s.scope, Strict: s.strict, Issuers: issuers, Seed: seed + 1, Model: m,
			}.Run()
			require.NoError(t, r.Err)
			row[i].rate += r.Rate
			row[i].cpu += r.CPU / float64(seeds)
			row[i].repatriated += r.Repatriated
		}
	}
	for i := range row {
		t.Logf("%d issuers, %v strict=%t: %.4f of system, CPU %.1f %%, %d repatriated", issuers,
			scopes[i].scope, scopes[i].strict, row[i].rate/row[system].rate, 100*row[i].cpu, row[i].repatriated)
	}
	return row
}

// model is the fitted model, measured for as long as there is time for.
func model() (m sim.AffinityModel, seeds uint64) {
	m = sim.DefaultAffinity()
	if invariants.Enabled { // under the race detector a second takes ten times as long
		m.Warm, m.Measure = 200*time.Millisecond, 600*time.Millisecond
		return m, 1
	}
	return m, 2
}

// The published measurements of scopes, as bands: A1 to A6.
func TestAffinityScopes(t *testing.T) {
	m, seeds := model()
	var rows [3][3]cell
	for i, issuers := range issuerCounts {
		rows[i] = affinity(t, issuers, m, seeds)
	}
	ratio := func(scenario, scope int) float64 { return rows[scenario][scope].rate / rows[scenario][system].rate }
	t.Run("A4", func(t *testing.T) { // the fewer issuers, the more strict loses
		assert.Greater(t, ratio(0, strict), ratio(1, strict))
		assert.Greater(t, ratio(1, strict), ratio(2, strict))
	})
	t.Run("A6", func(t *testing.T) {
		for i := range rows {
			assert.Zero(t, rows[i][system].repatriated)
			assert.Zero(t, rows[i][strict].repatriated)
		}
		assert.Positive(t, rows[1][cache].repatriated+rows[2][cache].repatriated)
	})
	t.Run("A3", func(t *testing.T) {
		assert.Less(t, ratio(2, cache), 1.0)
		assert.Less(t, ratio(2, strict), ratio(2, cache)-0.05)
	})
	if invariants.Enabled {
		return // the bands need longer runs
	}
	t.Run("A1", func(t *testing.T) {
		between(t, 1.000, 1.012, ratio(0, cache))
		assert.InEpsilon(t, ratio(0, cache), ratio(0, strict), 0.003)
	})
	t.Run("A2", func(t *testing.T) {
		between(t, 0.985, 1.010, ratio(1, cache))
		between(t, 0.93, 0.985, ratio(1, strict))
	})
	t.Run("A3 bands", func(t *testing.T) {
		between(t, 0.92, 0.99, ratio(2, cache))
		between(t, 0.75, 0.90, ratio(2, strict))
	})
	t.Run("A5", func(t *testing.T) {
		for _, c := range rows[0] {
			assert.GreaterOrEqual(t, c.cpu, 0.98)
		}
		assert.Less(t, rows[1][strict].cpu, rows[1][system].cpu)
		assert.Less(t, rows[2][strict].cpu, rows[2][system].cpu)
		between(t, 0.70, 0.80, rows[2][system].cpu)
	})
}

func between(t *testing.T, low, high, x float64) {
	t.Helper()
	assert.GreaterOrEqual(t, x, low)
	assert.LessOrEqual(t, x, high)
}

// Negative controls: when the effects of a strict scope vanish.
func TestAffinityEffectVanishes(t *testing.T) {
	m, _ := model()
	loss := func(issuers int, m sim.AffinityModel) float64 {
		row := affinity(t, issuers, m, 1)
		return 1 - row[strict].rate/row[system].rate
	}
	t.Run("no CPU ever takes a worker of another pod", func(t *testing.T) {
		never := m
		never.Steal = time.Hour
		row := affinity(t, 4, never, 1)
		assert.InEpsilon(t, row[strict].rate, row[cache].rate, 0.003, "cache is strict then")
		assert.Zero(t, row[cache].repatriated)
	})
	t.Run("issuers give up their CPU after each block", func(t *testing.T) {
		polite := m
		polite.Slice, polite.Steal = 0, 20*time.Microsecond
		row := affinity(t, 4, polite, 2)
		assert.InEpsilon(t, row[strict].rate, row[cache].rate, 0.03, "issuers wait, and nobody takes them")
	})
	t.Run("each cache has an issuer", func(t *testing.T) {
		stay := m
		stay.Move, stay.Migrate = time.Hour, 0
		row := affinity(t, 4, stay, 1)
		assert.InEpsilon(t, row[strict].rate, row[cache].rate, 0.003, "strict loses where a cache has none")
		stay.Burst = 30 * time.Microsecond
		row = affinity(t, 4, stay, 1)
		assert.InEpsilon(t, row[system].rate, row[strict].rate, 0.02, "all CPUs are busy then")
	})
	t.Run("issuers move on before much waits", func(t *testing.T) {
		if invariants.Enabled {
			t.Skip("the bands need longer runs")
		}
		quick := m
		quick.Move = time.Millisecond
		assert.Less(t, loss(8, quick), loss(8, m)-0.01)
	})
	t.Run("issuers are the limit", func(t *testing.T) {
		slow := m
		slow.Burst = time.Millisecond
		assert.Less(t, loss(4, slow), 0.06)
		assert.Greater(t, loss(4, m), 0.1)
	})
}
