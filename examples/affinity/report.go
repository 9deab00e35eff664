package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cmwq/cmwq/examples/internal/claims"
)

// published are the bandwidths by that of the system scope, with an issuer for each of 24
// CPUs, for a third of them, and for a sixth; four caches.
var published = map[string][3]float64{"cache": {1.006, 0.999, 0.980}, "cache strict": {1.006, 0.962, 0.834}, "system": {1, 1, 1}}

// alikeEnough is wide: what else a machine does is larger than what is measured.
const alikeEnough = 0.5

func (r *Row) name() string {
	if r.Strict {
		return r.Scope + " strict"
	}
	return r.Scope
}

func report(f *Found, m claims.Machine) *claims.Report {
	r := &claims.Report{Machine: m, Rows: f}
	for k, n := range crowds(f.CPUs) {
		rows := f.with(n)
		r.Tables = append(r.Tables, table(rows, k, n, f.CPUs))
		for g := range scopes {
			same := slices.DeleteFunc(slices.Clone(rows), func(x Row) bool { return x.Alike != g })
			if len(same) > 2 { // more than one scope, strict and not
				r.Check(ratio(same) >= alikeEnough, fmt.Sprintf("issuers: %d, the same pods: %s are equally fast", n, names(same)),
					"slowest/fastest %.2f, at least %.2f", ratio(same), alikeEnough)
			}
		}
	}
	f.count(r)
	f.explain(r)
	return r
}

func (f *Found) with(issuers int) []Row {
	return slices.DeleteFunc(slices.Clone(f.Rows), func(x Row) bool { return x.Issuers != issuers })
}

// names are the scopes of rows, each once.
func names(rows []Row) string {
	var ns []string
	for _, r := range rows {
		ns = append(ns, r.Scope)
	}
	return strings.Join(slices.Compact(ns), ", ")
}

// ratio is that of the slowest of rows to the fastest.
func ratio(rows []Row) float64 {
	least, most := rows[0].Rate, rows[0].Rate
	for _, r := range rows {
		least, most = min(least, r.Rate), max(most, r.Rate)
	}
	return least / most
}

func table(rows []Row, scenario, issuers, cpus int) claims.Table {
	t := claims.Table{
		Title: fmt.Sprintf("Issuers: %d, for %d CPUs", issuers, cpus),
		Rows:  [][]string{{"scope", "pods", "pools used", "MiB/s", "by system", "published"}},
	}
	i := slices.IndexFunc(rows, func(r Row) bool { return r.name() == "system" })
	for _, r := range rows {
		pub := ""
		if p, ok := published[r.name()]; ok {
			pub = fmt.Sprintf("%.3f", p[scenario])
		}
		t.Rows = append(t.Rows, []string{
			r.name(), fmt.Sprint(r.Pods), fmt.Sprint(r.Pools),
			fmt.Sprintf("%.0f", r.Rate*blockSize/(1<<20)), fmt.Sprintf("%.2f", r.Rate/rows[i].Rate), pub,
		})
	}
	return t
}

// count checks the books.
func (f *Found) count(r *claims.Report) {
	var queued, hashed, wrong int64
	over := []string{}
	for _, row := range f.Rows {
		queued, hashed, wrong = queued+row.Queued, hashed+row.Hashed, wrong+row.Wrong
		if row.Pools > row.Pods {
			over = append(over, row.name())
		}
	}
	r.Check(queued == hashed && wrong == 0, "each block is hashed once, and rightly", "%d queued, %d hashed, %d wrong", queued, hashed, wrong)
	r.Check(len(over) == 0, "no queue uses more pools than its scope has pods", "%d that do %v", len(over), over)
}

// explain says what this machine can show, and what it cannot.
func (f *Found) explain(r *claims.Report) {
	r.Note("Topology: %s.", f.Topology)
	pods := func(scope string) int {
		return f.Rows[slices.IndexFunc(f.Rows, func(x Row) bool { return x.Scope == scope })].Pods
	}
	if pods("cache") == 1 {
		r.Note("One cache: the cache, numa and system scopes are the same CPUs here, so that nothing of the")
		r.Note("published table can show. Only that they are alike is judged.")
	} else {
		r.Note("There are %d caches. Which scope is faster here is shown, beside the published table, and not judged.", pods("cache"))
	}
	r.Note("Published: dm-crypt, 12 cores, 24 threads, 4 caches; 32 KiB, 64 in flight for each issuer.")
	r.Note("CPUs are logical here: a scope decides who shares a pool, and the system's scheduler where threads run.")
}
