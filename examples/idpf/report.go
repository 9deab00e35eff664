package main

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/examples/internal/claims"
)

// gentle is how much less is asked beside nice -20: a scheduler gives nice 0 its one per
// cent after some ten milliseconds there, and nothing for a second beside real time.
const gentle = 50

func report(f *Found, m claims.Machine) *claims.Report {
	r := &claims.Report{Machine: m, Rows: f}
	rows := [][]string{{"queue", "antagonist", "items", "p50", "p99", "max", "worst round", "stop the world"}}
	for _, x := range f.Rows {
		rows = append(rows, []string{
			x.Queue, x.Antagonist, fmt.Sprint(x.Items), show(x.Median), show(x.P99), show(x.Max), show(x.Worst), show(x.Stop),
		})
	}
	r.Tables = []claims.Table{{Title: fmt.Sprintf("From queueing an item to its start, for CPU %d, which the antagonist takes", f.CPU), Rows: rows}}
	for _, s := range f.Skips {
		r.Note("Skipped: %s: %s.", s.What, s.Why)
	}
	if m.CPUs < 2 {
		r.Note("With one CPU there is none to go to: nothing is claimed.")
		return r
	}
	f.claim(r, nicest, f.Least/gentle)
	f.claim(r, realtime, f.Least)
	r.Note("Published: up to 30 ms bound, 6 µs unbound, a ratio of 5000; the antagonist left less than 0.5 %% of the CPU.")
	return r
}

// row finds one, nil if it was not measured.
func (f *Found) row(queue, how string) *Row {
	for i := range f.Rows {
		if x := &f.Rows[i]; x.Queue == queue && x.Antagonist == how {
			return x
		}
	}
	return nil
}

// claim adds what must hold beside an antagonist, as far as it was measured.
func (f *Found) claim(r *claims.Report, how string, least float64) {
	longer := func(slow, quick string) {
		s, q := f.row(slow, how), f.row(quick, how)
		if s != nil && q != nil {
			ratio := float64(s.Max) / float64(q.Max)
			r.Check(ratio >= least, fmt.Sprintf("%s: %q waits, and %q does not", how, slow, quick),
				"%s by %s is %.0f, at least %.0f", show(s.Max), show(q.Max), ratio, least)
		}
	}
	longer(bound, unbound)
	longer(bound, managed)
	longer(strict, unbound)
	b := f.row(bound, how)
	if x := f.row(bound, none); x != nil && b != nil {
		r.Check(b.Median >= 10*x.Median, how+": it is the antagonist that it waits for",
			"p50 %s, at least 10 times the %s without one", show(b.Median), show(x.Median))
	}
	switch x := f.row(highpri, how); {
	case x == nil:
	case how == realtime: // which is above any nice
		longer(highpri, unbound)
	default:
		r.Check(x.Median <= b.Median/4, how+": high priority helps",
			"p50 %s, at most a quarter of %s", show(x.Median), show(b.Median))
	}
}

// show is a duration in microseconds, or in milliseconds if it has many.
func show(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}
