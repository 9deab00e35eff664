package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// scopes are all, the narrowest first.
var scopes = []topology.Scope{
	topology.ScopeCPU, topology.ScopeSMT, topology.ScopeCacheShard, topology.ScopeCache, topology.ScopeNUMA, topology.ScopeSystem,
}

// Row is one scope with so many issuers.
type Row struct {
	Issuers int       `json:"issuers"`
	Scope   string    `json:"scope"`
	Strict  bool      `json:"strict"`
	Pods    int       `json:"pods"`        // of the scope
	Pools   int       `json:"pools"`       // that had work, at most, in one round
	Rates   []float64 `json:"per_second"`  // items, each round
	Rate    float64   `json:"median"`      // of them
	Queued  int64     `json:"queued"`      // in all rounds
	Hashed  int64     `json:"hashed"`      // in all rounds
	Wrong   int64     `json:"wrong"`       // of these
	Alike   int       `json:"alike_group"` // rows of one group are the same pods
}

// Found is all of it.
type Found struct {
	Topology string `json:"topology"`
	CPUs     int    `json:"cpus"`
	Rows     []Row  `json:"rows"`
}

type lab struct {
	sys    *cmwq.System
	each   time.Duration
	rounds int
	queues int
}

// crowds are the published scenarios for so many CPUs: an issuer for each, a third, a
// sixth.
func crowds(cpus int) []int {
	return slices.Compact([]int{cpus, max(1, cpus/3), max(1, cpus/6)})
}

func (l *lab) measure(ctx context.Context) (*Found, error) {
	topo := l.sys.Topology()
	f := &Found{Topology: topo.String(), CPUs: topo.NumCPU()}
	for _, n := range crowds(f.CPUs) {
		for _, s := range scopes {
			for _, strict := range []bool{false, true} {
				f.Rows = append(f.Rows, Row{Issuers: n, Scope: s.String(), Strict: strict, Pods: len(topo.Pods(s)), Alike: alike(topo, s)})
			}
		}
	}
	for range l.rounds {
		for i := range f.Rows {
			if err := l.once(ctx, &f.Rows[i]); err != nil {
				return nil, err
			}
		}
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		sorted := slices.Sorted(slices.Values(r.Rates))
		r.Rate = sorted[len(sorted)/2]
	}
	return f, nil
}

// alike is the index of the first scope that has the same pods here.
func alike(t *topology.Topology, s topology.Scope) int {
	return slices.IndexFunc(scopes, func(o topology.Scope) bool {
		return slices.EqualFunc(t.Pods(s), t.Pods(o), func(a, b topology.Pod) bool { return a.CPUs.Equals(b.CPUs) })
	})
}

// once measures a row in a queue of its own.
func (l *lab) once(ctx context.Context, r *Row) (err error) {
	scope, err := topology.ParseScope(r.Scope)
	if err != nil {
		return err
	}
	l.queues++
	q, err := l.sys.NewQueue(fmt.Sprintf("hash-%d", l.queues), cmwq.Affinity(scope, r.Strict))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Destroy(context.WithoutCancel(ctx))) }()
	all, text := make([]*issuer, r.Issuers), newTexts()
	for i := range all {
		all[i] = newIssuer(text)
	}
	limited, cancel := context.WithTimeout(ctx, l.each)
	defer cancel()
	var wg sync.WaitGroup
	queued, errs := make([]int64, len(all)), make([]error, len(all))
	start := time.Now()
	for i, is := range all {
		wg.Go(func() { queued[i], errs[i] = is.issue(limited, q) })
	}
	wg.Wait()
	took, hashed := time.Since(start), int64(0)
	for i, is := range all {
		r.Queued += queued[i]
		hashed += is.hashed.Load()
		r.Wrong += is.wrong.Load()
	}
	r.Hashed += hashed
	r.Rates = append(r.Rates, float64(hashed)/took.Seconds())
	r.Pools = max(r.Pools, pools(all))
	return errors.Join(errors.Join(errs...), context.Cause(ctx))
}

// pools counts the pools in which blocks were hashed.
func pools(all []*issuer) int {
	names := map[string]bool{}
	for _, is := range all {
		for _, b := range is.all {
			maps.Copy(names, b.in)
		}
	}
	return len(names)
}
