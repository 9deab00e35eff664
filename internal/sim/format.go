package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Format writes a trace, a line for each item and instant at which something
// happened to it, then what was counted. Times are in milliseconds.
//
// The lines are in the order of time, then of the items' ranks, and within one
// the kinds of events in their own order: what happens within an instant may
// happen in any order, and still gives the same text.
func Format(t Trace) string {
	var b strings.Builder
	events := slices.Clone(t.Events)
	slices.SortStableFunc(events, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Kind, b.Kind))
	})
	for i, e := range events {
		if i == 0 || events[i-1].At != e.At || events[i-1].Rank != e.Rank {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "t=%s %s", Millis(e.At), e.Item)
		}
		b.WriteByte(' ')
		b.WriteString(e.Kind.String())
	}
	if len(events) > 0 {
		b.WriteByte('\n')
	}
	for _, q := range t.Queues {
		fmt.Fprintf(&b, "%s cm_wakeup %d", q.Name, q.CMWakeup)
		for i, s := range q.Congested {
			fmt.Fprintf(&b, "%s%s-%s", []string{" congested ", ","}[min(i, 1)], Millis(s.From), Millis(s.To))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "makespan %s burned %s\n", Millis(t.Makespan), Millis(t.Burned))
	if t.Err != nil {
		fmt.Fprintf(&b, "error: %v\n", t.Err)
	}
	return b.String()
}

// Millis writes a time in milliseconds, with as many digits as it needs.
func Millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
}
