package main

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/examples/internal/claims"
)

// published are the three runs of the proposal, in requests a second, with the labels of
// the covers that were printed first: the last cover has the same numbers exchanged.
var published = map[string]float64{"normal": 1_149_064, "fixed": 2_010_493}

func report(rows []Row, m claims.Machine) *claims.Report {
	r := &claims.Report{Machine: m, Rows: rows}
	byLoad := map[string][]Row{}
	for _, row := range rows {
		byLoad[row.Load] = append(byLoad[row.Load], row)
	}
	for _, l := range []string{empty, equal, unequal, asleep} {
		r.Tables = append(r.Tables, table(l, byLoad[l]))
	}
	ratio := func(l string, fixed, normal int) float64 { return byLoad[l][fixed].Rate / byLoad[l][normal].Rate }

	gain := ratio(empty, 3, 2)
	r.Check(gain >= 1.2, "lists under locks, empty items: a list for each worker is faster, as published (1.75)", "%.2f, at least 1.20", gain)
	need := ratio(empty, 0, 1)
	r.Check(need >= 0.8, "cmwq, empty items: normal workers need no lists of their own", "normal/fixed %.2f, at least 0.80", need)
	slept := ratio(asleep, 1, 0)
	r.Check(slept <= 0.5, "cmwq, "+asleep+": fixed workers lose", "fixed/normal %.2f, at most 0.50", slept)
	lost := ratio(unequal, 1, 0)
	if cpus := cpusHad(byLoad[equal]); cpus >= 1.5 {
		lists := ratio(unequal, 3, 2)
		r.Check(lists <= 0.8, "lists under locks, "+unequal+": a list for each worker loses", "%.2f, at most 0.80", lists)
		r.Check(lost <= 0.9, "cmwq, "+unequal+": fixed workers lose", "fixed/normal %.2f, at most 0.90", lost)
	} else {
		r.Note("Items that burn had %.1f CPUs here, and who has one cannot lose it: fixed/normal %.2f is not judged.", cpus, lost)
	}
	r.Note("Published: liburing nops, kernel workers pinned to CPUs 1-3. Those rates are of another thing, the ratio may be compared.")
	return r
}

// cpusHad is how many CPUs' worth of items were done at a time by who did most.
func cpusHad(rows []Row) (most float64) {
	for _, r := range rows {
		most = max(most, float64(r.Burn)/float64(median(r.Took)))
	}
	return most
}

func table(l string, rows []Row) claims.Table {
	t := claims.Table{Title: "Items: " + l, Rows: [][]string{{"workers", "items", "median of runs", "items/s", "ratio", "published"}}}
	for i, r := range rows {
		ratio, pub := "", ""
		kind := "normal"
		if i%2 == 1 {
			kind, ratio = "fixed", fmt.Sprintf("%.2f", r.Rate/rows[i-1].Rate)
		}
		if l == empty {
			if pub = fmt.Sprintf("%.2f M/s", published[kind]/1e6); kind == "fixed" {
				pub += ", 1.75"
			}
		}
		t.Rows = append(t.Rows, []string{r.Workers, fmt.Sprint(r.Items), fmt.Sprint(median(r.Took).Round(100 * time.Microsecond)), rate(r.Rate), ratio, pub})
	}
	return t
}

func rate(perSecond float64) string {
	if perSecond >= 1e6 {
		return fmt.Sprintf("%.2f M", perSecond/1e6)
	}
	return fmt.Sprintf("%.1f k", perSecond/1e3)
}
