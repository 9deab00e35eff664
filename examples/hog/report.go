package main

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/examples/internal/claims"
)

const (
	rule  = 10 * time.Millisecond // the library's, and the kernel's
	slice = 10 * time.Millisecond // after so long Go lets another goroutine have the CPU
)

// limit is how long an item may wait that does not wait for the hog: the rule and eight
// slices. Where every CPU is taken each goroutine that has a part waits up to a slice for
// one: the tick that applies the rule (its clock is stretched by a slice, too), the manager
// that makes a worker, and the worker. That is twice over, as others use the machine. A
// slice is Go's, or the longest that a goroutine needed to start here if that is more.
func (f *Found) limit() time.Duration { return rule + 8*max(slice, f.Slice.Max) }

func report(f *Found, m claims.Machine) *claims.Report {
	r := &claims.Report{Machine: m, Rows: f}
	waits := [][]string{{"setup", "wait", "longest", "of the hog's " + ms(f.Hog), "expected"}}
	for _, w := range append(f.Waits, f.Slice) {
		expected := "<= " + ms(f.limit())
		switch {
		case w.Waits:
			expected = "the hog"
		case w.Setup == f.Slice.Setup:
			expected = "a slice"
		}
		waits = append(waits, []string{w.Setup, ms(w.Median), ms(w.Max), fmt.Sprintf("%.2f", w.Of), expected})
	}
	jobs := [][]string{{"setup", "took", "of its own " + ms(f.Own), "published"}}
	for _, j := range f.Jobs {
		published := "5 s, 1.00"
		if j.Waits {
			published = "15 s, 3.00"
		}
		jobs = append(jobs, []string{j.Setup, ms(j.Median), fmt.Sprintf("%.2f", j.Of), published})
	}
	r.Tables = []claims.Table{
		{Title: "From queueing an item to its start, behind a hog on the same CPU", Rows: waits},
		{Title: "A job that needs something done on that CPU", Rows: jobs},
	}
	f.claim(r)
	r.Note("Published: the field report, on a kernel without the rule; 5 s is the job without the hog.")
	r.Note("Without an idle CPU a pool cannot know more; with one it finds out within milliseconds,")
	r.Note("which a kernel does not do.")
	return r
}

// claim adds what must hold. Whether an item waited for the hog is judged by the hog's
// time, so that a slow machine is no failure.
func (f *Found) claim(r *claims.Report) {
	for _, w := range f.Waits {
		if w.Waits {
			r.Check(w.Of >= 0.8, w.Setup+": waits for the hog", "%.2f of it, at least 0.80", w.Of)
			continue
		}
		r.Check(w.Median <= f.limit() && w.Of <= 0.5, w.Setup+": does not",
			"%s, at most %s and half the hog", ms(w.Median), ms(f.limit()))
	}
	for _, j := range f.Jobs {
		if j.Waits {
			r.Check(j.Of >= 2.5, "job, "+j.Setup+": three times as long", "%.2f, at least 2.50", j.Of)
			continue
		}
		r.Check(j.Of <= 1.5, "job, "+j.Setup+": its own time", "%.2f, at most 1.50", j.Of)
	}
}

// ms is a duration in milliseconds, or in seconds if it has many.
func ms(d time.Duration) string {
	if d >= 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}
