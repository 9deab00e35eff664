package simcmd

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/internal/sim"
)

// The parameters are fitted to two scenarios, and predict the third. The search is here,
// so that anybody can repeat it: every setting is tried with the same seeds, none of
// which is printed otherwise, and the best is taken as it is.
const (
	fitSeed  = 1000 // the first of the simulations
	fitSeeds = 2
)

// fitted are the parameters that are searched for, between two bounds, evenly in their
// logarithms. Times are in nanoseconds.
var fitted = []parameter{
	{40e3, 80e3, duration(func(m *sim.AffinityModel) *time.Duration { return &m.Burst })},
	{150e3, 280e3, duration(func(m *sim.AffinityModel) *time.Duration { return &m.Crypt })},
	{1e6, 3e6, duration(func(m *sim.AffinityModel) *time.Duration { return &m.Device })},
	{3e3, 100e3, duration(func(m *sim.AffinityModel) *time.Duration { return &m.Steal })},
	{0.55, 0.85, func(m *sim.AffinityModel, x float64) float64 { return set(&m.SMT, x) }},
	{0.003, 0.03, func(m *sim.AffinityModel, x float64) float64 { return set(&m.Cold, x) }},
	{0.0001, 0.01, func(m *sim.AffinityModel, x float64) float64 { return set(&m.Migrate, x) }},
}

// parameter is one of them. Its function sets it, unless to 0, and gives what it is.
type parameter struct {
	low, high float64
	value     func(*sim.AffinityModel, float64) float64
}

func set(to *float64, x float64) float64 {
	if x != 0 {
		*to = x
	}
	return *to
}

func duration(of func(*sim.AffinityModel) *time.Duration) func(*sim.AffinityModel, float64) float64 {
	return func(m *sim.AffinityModel, x float64) float64 {
		if x != 0 {
			*of(m) = time.Duration(x)
		}
		return float64(*of(m))
	}
}

// Fit is the best setting for two scenarios.
type Fit struct {
	Left  int               `json:"left_out"` // issuers of the scenario that it does not know
	Model sim.AffinityModel `json:"model"`
	Error float64           `json:"error"`     // of what it was fitted to, in tolerances
	Blind [3]Cell           `json:"predicted"` // the scenario that was left out, run afterwards, with other seeds
}

// try is a setting and what came of it; a row that was not run is empty.
type try struct {
	model sim.AffinityModel
	rows  [3][3]Cell
}

// Search leaves out each scenario in turn and tries n settings for the other two: half of
// them at random, and half near the best there is, ever nearer. What is left out is not
// run before all is done.
func Search(ctx context.Context, m sim.AffinityModel, n int) (fits []Fit, err error) {
	for left := range paper {
		f, err := search(ctx, m, n, left)
		if err != nil {
			return nil, err
		}
		fits = append(fits, f)
	}
	return fits, nil
}

func search(ctx context.Context, m sim.AffinityModel, n, left int) (f Fit, err error) {
	r := rand.New(rand.NewPCG(fitSeed, uint64(left)))
	best, least := m, math.Inf(1)
	for k := range n {
		t := try{model: best}
		width := 0.3 * float64(n-k) / float64(n) // of the logarithm of the range
		for _, p := range fitted {
			x := p.low * math.Pow(p.high/p.low, r.Float64())
			if k >= n/2 {
				x = p.value(&best, 0) * math.Pow(p.high/p.low, width*r.NormFloat64())
			}
			p.value(&t.model, min(max(x, p.low), p.high))
		}
		if err := t.run(ctx, (left+1)%3, (left+2)%3); err != nil {
			return f, err
		}
		if off := t.off(left); off < least {
			best, least = t.model, off
		}
	}
	rows, err := scenarios(ctx, best, 1, 5, left)
	if err != nil {
		return f, err
	}
	return Fit{paper[left].issuers, best, least, rows[0]}, nil
}

// run runs some scenarios.
func (t *try) run(ctx context.Context, rows ...int) error {
	for _, row := range rows {
		m := t.model
		m.Measure = m.Measure * [3]time.Duration{1, 3, 6}[row] / 4 // as long as its numbers need to be steady
		got, err := scenarios(ctx, m, fitSeed, fitSeeds, row)
		if err != nil {
			return err
		}
		t.rows[row] = got[0]
	}
	return nil
}

// off is how far it is from what was published of the other scenarios: root of the mean
// square, in tolerances. CPU counts with 4 issuers alone: in the others the machine is
// full, and what kept a few of its CPUs idle is not in the model.
func (t *try) off(left int) float64 {
	var sum, n float64
	add := func(here, there, tolerance float64) {
		sum += (here - there) / tolerance * (here - there) / tolerance
		n++
	}
	for row := range paper {
		if row == left {
			continue
		}
		tolerance := [3]float64{0.002, 0.01, 0.01}[row]
		for _, col := range []int{cache, strict} {
			add(t.rows[row][col].Ratio.Mean, published(row, col), tolerance)
		}
		for col := range paper[row].cpu {
			if row == 2 {
				add(t.rows[row][col].CPU.Mean, paper[row].cpu[col]/100, 0.015)
			}
		}
	}
	a, b := min((left+1)%3, (left+2)%3), max((left+1)%3, (left+2)%3)
	add(t.rows[b][system].Rate.Mean/t.rows[a][system].Rate.Mean,
		paper[b].bandwidth[system]/paper[a].bandwidth[system], 0.01)
	return math.Sqrt(sum / n)
}
