package simcmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/topology"
)

// Choice is what one affinity scope makes of a load.
type Choice struct {
	Scope  string        `json:"scope"`
	Strict bool          `json:"strict"`
	Pods   int           `json:"pods"`
	Like   []string      `json:"like,omitempty"` // scopes that have the same pods on this machine
	Rate   Number        `json:"rate"`           // items a second
	CPU    float64       `json:"cpu"`            // busy, 0 to 1
	P50    time.Duration `json:"p50_ns"`         // from an item's queueing to its end
	P99    time.Duration `json:"p99_ns"`
	Away   float64       `json:"away"` // share of items that ran in another cache than their issuer's
}

// Advice is what is known of every scope, and which one suits.
type Advice struct {
	Topology string   `json:"topology"`
	CPUs     int      `json:"cpus"`
	Caches   int      `json:"caches"`
	Nodes    int      `json:"nodes"`
	Load     sim.Load `json:"load"` // durations in nanoseconds
	Seeds    int      `json:"seeds"`
	Items    int      `json:"items"` // measured for each scope and seed
	Choices  []Choice `json:"choices"`
	Best     Choice   `json:"best"`
	Default  Choice   `json:"default"`
	Why      string   `json:"why"`
}

// candidates are the scopes, finest first, that differ on a machine.
func candidates(t *topology.Topology) (cs []Choice, scopes []topology.Scope) {
	last := 0
	for _, s := range []topology.Scope{
		topology.ScopeCPU, topology.ScopeSMT, topology.ScopeCacheShard, topology.ScopeCache, topology.ScopeNUMA, topology.ScopeSystem,
	} {
		pods := len(t.Pods(s))
		if pods == last { // scopes nest: as many pods are the same pods
			for i := range cs {
				if cs[i].Pods == pods {
					cs[i].Like = append(cs[i].Like, s.String())
				}
			}
			continue
		}
		last = pods
		for _, strict := range []bool{false, true} {
			if pods == 1 && strict {
				continue // there is nowhere else to go
			}
			cs = append(cs, Choice{Scope: s.String(), Strict: strict, Pods: pods})
			scopes = append(scopes, s)
		}
	}
	return cs, scopes
}

// large machines are tried with one seed, unless told otherwise: so many CPUs are many
// samples.
const large = 512

// Advise tries every scope with a load, and measures so many items in each run, with
// seeds 1 to n. 0 items are as many as are under way, within reason, and 0 seeds are
// three, or one for a large machine.
func Advise(ctx context.Context, t *topology.Topology, l sim.Load, seeds, items int) (*Advice, error) {
	if items == 0 {
		items = min(200_000, max(50_000, l.Issuers*l.Depth))
	}
	if seeds == 0 {
		seeds = 3
		if t.NumCPU() > large {
			seeds = 1
		}
	}
	a := &Advice{
		Topology: t.String(), CPUs: t.NumCPU(), Caches: len(t.Pods(topology.ScopeCache)), Nodes: len(t.Pods(topology.ScopeNUMA)),
		Load: l, Seeds: seeds, Items: items,
	}
	var scopes []topology.Scope
	a.Choices, scopes = candidates(t)
	n := len(a.Choices)
	results := make([]sim.PlacementResult, n*seeds)
	err := parallel(ctx, len(results), func(i int) {
		results[i] = sim.Placement{
			Topology: t, Scope: scopes[i%n], Strict: a.Choices[i%n].Strict, Load: l, Seed: uint64(i/n + 1), Items: a.Items,
		}.Run()
	})
	if err != nil {
		return nil, err
	}
	for i := range a.Choices {
		c := &a.Choices[i]
		var rate []float64
		for seed := range seeds {
			r := results[seed*n+i]
			if r.Err != nil {
				return nil, r.Err
			}
			rate = append(rate, r.Rate)
			c.CPU += r.CPU / float64(seeds)
			c.Away += r.Away / float64(seeds)
			c.P50 = max(c.P50, r.P50)
			c.P99 = max(c.P99, r.P99)
		}
		c.Rate = number(rate)
	}
	a.judge()
	return a, nil
}

// What differs by less is the same.
const (
	sameRate = 0.02
	sameP99  = 0.25
)

// judge chooses: the most items; of those that are as good the shortest waits. If the
// default is among them there is no need to change; else of those the least CPU, not
// strict before strict, and the fewest pools.
func (a *Advice) judge() {
	best := slices.MaxFunc(a.Choices, func(x, y Choice) int { return cmp.Compare(x.Rate.Mean, y.Rate.Mean) })
	var good []Choice
	for _, c := range a.Choices {
		if c.Rate.Mean >= best.Rate.Mean*(1-sameRate)-max(c.Rate.Spread, best.Rate.Spread) {
			good = append(good, c)
		}
		if !c.Strict && (c.Scope == usual || slices.Contains(c.Like, usual)) {
			a.Default = c
			a.Default.Scope = usual // whatever else has the same pods here
		}
	}
	fastest := slices.MinFunc(good, func(x, y Choice) int { return cmp.Compare(x.P99, y.P99) })
	good = slices.DeleteFunc(good, func(c Choice) bool { return float64(c.P99) > float64(fastest.P99)*(1+sameP99) })
	if slices.ContainsFunc(good, a.Default.same) {
		a.Best, a.Why = a.Default, "it is the default, and nothing is better"
		switch {
		case len(a.Choices) == 1:
			a.Why = "it is the default, and all scopes are alike here"
		case len(good) == 1:
			a.Why = "it is the default, and everything else is worse"
		}
		return
	}
	a.Best = slices.MinFunc(good, func(x, y Choice) int {
		return cmp.Or(cmp.Compare(int(50*x.CPU), int(50*y.CPU)), lax(x)-lax(y), cmp.Compare(x.Pods, y.Pods))
	})
	a.Why = a.why()
}

// usual is the scope of queues that do not say any.
const usual = "cache_shard"

func (c Choice) same(d Choice) bool { return c.Pods == d.Pods && c.Strict == d.Strict }

func lax(c Choice) int {
	if c.Strict {
		return 1
	}
	return 0
}

func (a *Advice) why() string {
	if gain := a.Best.Rate.Mean / a.Default.Rate.Mean; gain > 1+sameRate {
		return fmt.Sprintf("it does %.2f times the items of the default, %s", gain, a.Default.Scope)
	}
	return fmt.Sprintf("it does as much as the default, %s, and 99 %% of the items are done in %.2f of its time",
		a.Default.Scope, float64(a.Best.P99)/float64(a.Default.P99))
}
