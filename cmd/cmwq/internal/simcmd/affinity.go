package simcmd

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/topology"
)

// Cell is one scenario with one scope: what came out, and what was published.
type Cell struct {
	Issuers     int     `json:"issuers"`
	Scope       string  `json:"scope"`
	Ratio       Number  `json:"ratio"`       // bandwidth over that of system in the same scenario and with the same seed
	CPU         Number  `json:"cpu"`         // busy, 0 to 1
	Rate        Number  `json:"rate"`        // blocks a second of the simulated machine
	Repatriated Number  `json:"repatriated"` // workers a second
	PaperRatio  float64 `json:"published_ratio"`
	PaperCPU    float64 `json:"published_cpu"`
}

// Number is a mean over the seeds, and how far they are spread (standard deviation).
type Number struct {
	Mean   float64 `json:"mean"`
	Spread float64 `json:"spread"`
}

func number(xs []float64) (n Number) {
	for _, x := range xs {
		n.Mean += x / float64(len(xs))
	}
	for _, x := range xs {
		n.Spread += (x - n.Mean) * (x - n.Mean)
	}
	if len(xs) > 1 {
		n.Spread = math.Sqrt(n.Spread / float64(len(xs)-1))
	}
	return n
}

// setting is a column of the published tables.
type setting struct {
	name   string
	scope  topology.Scope
	strict bool
}

var settings = []setting{
	{"system", topology.ScopeSystem, false}, {"cache", topology.ScopeCache, false}, {"cache strict", topology.ScopeCache, true},
}

const (
	system = iota
	cache
	strict
)

// paper is what was measured: 12 cores, 24 threads, four caches, dm-crypt.
var paper = [3]struct {
	issuers   int
	bandwidth [3]float64 // MiB/s
	cpu       [3]float64 // percent
}{
	{24, [3]float64{1159.40, 1166.40, 1166.00}, [3]float64{99.31, 99.34, 99.35}},
	{8, [3]float64{1155.40, 1154.40, 1112.00}, [3]float64{97.41, 96.15, 93.26}},
	{4, [3]float64{993.60, 973.40, 828.20}, [3]float64{75.49, 74.90, 66.84}},
}

// Published is a ratio of the measurements.
func published(scenario, column int) float64 {
	return paper[scenario].bandwidth[column] / paper[scenario].bandwidth[system]
}

// Table is the whole experiment, by scenario and column.
type Table [3][3]Cell

// Affinity runs the nine experiments with seeds 1 to n.
func Affinity(ctx context.Context, m sim.AffinityModel, seeds int) (t Table, err error) {
	rows, err := scenarios(ctx, m, 1, seeds, 0, 1, 2)
	copy(t[:], rows)
	return t, err
}

// scenarios runs some rows of the table, with so many seeds from the first one.
func scenarios(ctx context.Context, m sim.AffinityModel, first, seeds int, rows ...int) (t [][3]Cell, err error) {
	top, err := topology.Uniform(1, 4, 3, 2)
	if err != nil {
		return t, err
	}
	per := 3 * len(rows)
	results := make([]sim.AffinityResult, per*seeds)
	err = parallel(ctx, len(results), func(i int) {
		s := settings[i%3]
		results[i] = sim.Affinity{
			Topology: top, Scope: s.scope, Strict: s.strict, Issuers: paper[rows[i/3%len(rows)]].issuers, Seed: uint64(first + i/per), Model: m,
		}.Run()
	})
	if err != nil {
		return t, err
	}
	for i := range results {
		if results[i].Err != nil {
			return t, results[i].Err
		}
	}
	for at, row := range rows {
		var cells [3]Cell
		for col := range cells {
			var rate, ratio, cpu, back []float64
			for seed := range seeds {
				at := per*seed + 3*at
				r := results[at+col]
				rate = append(rate, r.Rate)
				ratio = append(ratio, r.Rate/results[at+system].Rate)
				cpu = append(cpu, r.CPU)
				back = append(back, float64(r.Repatriated)/m.Measure.Seconds())
			}
			cells[col] = Cell{
				Issuers: paper[row].issuers, Scope: settings[col].name,
				Ratio: number(ratio), CPU: number(cpu), Rate: number(rate), Repatriated: number(back),
				PaperRatio: published(row, col), PaperCPU: paper[row].cpu[col] / 100,
			}
		}
		t = append(t, cells)
	}
	return t, nil
}

// parallel does n things, as many at a time as there are CPUs, until the context ends.
func parallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
