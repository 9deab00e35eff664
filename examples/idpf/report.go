package main

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/examples/internal/claims"
)

// starving is the share of the CPU that the report's antagonist left at most.
const starving = 0.005

// gentle is how much less is asked of one item at a time beside nice -20: it waits for a
// slice of the CPU, and not for the items before it.
const gentle = 20

func report(f *Found, m claims.Machine) *claims.Report {
	r := &claims.Report{Machine: m, Rows: f}
	rows := [][]string{{"queue", "antagonist", "items", "p50", "p99", "max", "worst round", "CPU got", "stop the world"}}
	for _, x := range f.Rows {
		rows = append(rows, []string{
			x.Queue, x.Antagonist, fmt.Sprint(x.Items), show(x.Median), show(x.P99), show(x.Max), show(x.Worst), share(x.Got), show(x.Stop),
		})
	}
	r.Tables = []claims.Table{{Title: fmt.Sprintf("From queueing an item to its start, for CPU %d, which the antagonist takes", f.CPU), Rows: rows}}
	for _, s := range f.Skips {
		r.Note("Skipped: %s: %s.", s.What, s.Why)
	}
	if f.Load > 1 {
		r.Note("The load average was %.1f before: what others do adds to a wait, and may send a thread to the antagonist's CPU.", f.Load)
	}
	if m.CPUs < 2 {
		r.Note("With one CPU there is none to go to: nothing is claimed.")
		return r
	}
	f.claim(r, nicest)
	f.claim(r, realtime)
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
func (f *Found) claim(r *claims.Report, how string) {
	longer := func(slow, quick string, least float64) {
		s, q := f.row(slow, how), f.row(quick, how)
		if s != nil && q != nil {
			ratio := float64(s.Max) / float64(q.Max)
			r.Check(ratio >= least, fmt.Sprintf("%s: %q waits, and %q does not", how, slow, quick),
				"%s by %s is %.0f, at least %.0f", show(s.Max), show(q.Max), ratio, least)
		}
	}
	longer(bound, unbound, f.Least)
	longer(bound, managed, f.Least)
	longer(strict, unbound, f.Least)
	longer(alone, unbound, f.Least/gentle)
	b := f.row(bound, how)
	if x := f.row(bound, none); x != nil && b != nil {
		r.Check(b.Median >= 10*x.Median, how+": it is the antagonist that it waits for",
			"p50 %s, at least 10 times the %s without one", show(b.Median), show(x.Median))
	}
	if b != nil && b.Got > 0 && how == nicest {
		r.Check(b.Got < starving, how+": the antagonist leaves as little as the report says",
			"%s of the CPU, less than %s", share(b.Got), share(starving))
	}
	switch x := f.row(highpri, how); {
	case x == nil:
	case how == realtime: // which is above any nice
		longer(highpri, unbound, f.Least)
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

// share is a share in per cent.
func share(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f %%", 100*x)
}
