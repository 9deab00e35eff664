package simcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/topology"
)

// Busy is what a scope makes of 72 CPUs under one cache that all queue short items.
type Busy struct {
	Scope     string  `json:"scope"`
	Pools     int     `json:"pools"`
	Rate      float64 `json:"rate"`           // items a second
	Published float64 `json:"published_rate"` // items a second
	Fitted    bool    `json:"fitted"`         // the two times of the model follow from it
}

// Contended is the experiment with what is said of it.
type Contended struct {
	Scopes []Busy `json:"scopes"`
	Claim  Claim  `json:"claim"`
}

// measured are the published rates.
var measured = []struct {
	scope  topology.Scope
	rate   float64
	fitted bool
}{
	{topology.ScopeCPU, 3.43e6, true}, {topology.ScopeSMT, 3.45e6, false}, {topology.ScopeCacheShard, 2.94e6, false},
	{topology.ScopeCache, 0.60e6, true}, {topology.ScopeNUMA, 0.60e6, false}, {topology.ScopeSystem, 0.60e6, false},
}

// Contention runs the experiment with each scope.
func Contention(ctx context.Context, items int) (*Contended, error) {
	top, err := topology.Uniform(1, 1, 72, 1)
	if err != nil {
		return nil, err
	}
	c := &Contended{Scopes: make([]Busy, len(measured))}
	err = parallel(ctx, len(measured), func(i int) {
		m := measured[i]
		c.Scopes[i] = Busy{m.scope.String(), len(top.Pods(m.scope)), sim.Contention{
			Topology: top, Scope: m.scope, Think: sim.ContentionThink, Serve: sim.ContentionServe, Items: items, Seed: 1,
		}.Run(), m.rate, m.fitted}
	})
	if err != nil {
		return nil, err
	}
	c.judge()
	return c, nil
}

func (c *Contended) judge() {
	rate := func(i int) float64 { return c.Scopes[i].Rate / 1e6 }
	c.Claim = Claim{ID: "C1", Says: "cpu and smt, then cache_shard, far above cache, numa and system", Holds: true}
	same := math.Abs(rate(0)/rate(1) - 1)
	c.Claim.check(same < 0.03, "cpu and smt are %.1f %% apart, below 3", 100*same)
	c.Claim.check(rate(2) < rate(1), "cache_shard %.2f below smt %.2f", rate(2), rate(1))
	c.Claim.check(rate(2) > 4*rate(3), "cache_shard is %.1f times cache, above 4", rate(2)/rate(3))
	most, least := max(rate(3), rate(4), rate(5)), min(rate(3), rate(4), rate(5))
	c.Claim.check(most/least < 1.03, "cache, numa and system are %.1f %% apart, below 3", 100*(most/least-1))
}

// WriteJSON writes it for programs.
func (c *Contended) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(c)
}

// WriteTo writes it for people.
func (c *Contended) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	b.WriteString("72 CPUs under one cache, each of which queues a short item, waits for it, and begins again.\n\n")
	b.WriteString("  scope         pools   M items/s   published\n")
	for _, s := range c.Scopes {
		how := fmt.Sprintf("predicted, off by %+.1f %%", 100*(s.Rate/s.Published-1))
		if s.Fitted {
			how = "fitted"
		}
		fmt.Fprintf(&b, "  %-12s %6d %11.2f %11.2f   %s\n", s.Scope, s.Pools, s.Rate/1e6, s.Published/1e6, how)
	}
	fmt.Fprintf(&b, "\n%s", c.Claim.String())
	fmt.Fprintf(&b, `
The model is one queue of messages for each pool, and two times: %v that a CPU takes
between two items, and %v of the pool's turn for an item. They follow from the rates of cpu
and cache. A turn of %v is the published machine's, with its contended lock; cmwq bench has
this library's.
`, sim.ContentionThink, sim.ContentionServe, sim.ContentionServe)
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
