package simcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/internal/sim"
)

// Timeline runs a scenario and writes what happens as a timetable: a line an
// instant, with the items that are active and those that wait for a slot then, and
// the workers that count as runnable.
func Timeline(st Story) string {
	t := sim.Run(st.Scenario)
	var b strings.Builder
	if st.About != "" {
		fmt.Fprintf(&b, "%s\n\n", st.About)
	}
	ms := moments(&st.Scenario, t)
	width := len("event")
	for _, m := range ms {
		width = max(width, ansi.StringWidth(m.Text))
	}
	width = min(width, mostText)
	stamp := 6
	for _, m := range ms {
		stamp = max(stamp, len(sim.Millis(m.At)))
	}
	indent := strings.Repeat(" ", stamp+2)
	fmt.Fprintf(&b, "%*s  %s  active  inactive  running\n", stamp, "t/ms", monitor.Pad("event", width))
	for _, m := range ms {
		lines := wrap(m.Text, width)
		for i, line := range lines {
			if i < len(lines)-1 { // the numbers stand beside the last line of an instant
				fmt.Fprintf(&b, "%*s  %s\n", stamp, first(i, sim.Millis(m.At)), line)
				continue
			}
			fmt.Fprintf(&b, "%*s  %s  %6d  %8d  %7d\n", stamp, first(i, sim.Millis(m.At)), monitor.Pad(line, width), m.Active, m.Inactive, m.Running)
		}
	}
	fmt.Fprintf(&b, "\n%smakespan %s ms, items used %s ms of CPU%s\n", indent, sim.Millis(t.Makespan), sim.Millis(t.Burned), share(&st.Scenario, t))
	for _, q := range t.Queues {
		fmt.Fprintf(&b, "%s%s: %d wake-ups because its items blocked, %d hogs", indent, q.Name, q.CMWakeup, q.Hogs)
		for i, s := range q.Congested {
			fmt.Fprintf(&b, "%s%s-%s", []string{", congested ", ","}[min(i, 1)], sim.Millis(s.From), sim.Millis(s.To))
		}
		b.WriteByte('\n')
	}
	if t.Err != nil {
		fmt.Fprintf(&b, "%serror: %v\n", indent, t.Err)
	}
	return b.String()
}

const mostText = 60

func first(i int, s string) string {
	if i > 0 {
		return ""
	}
	return s
}

func share(s *sim.Scenario, t sim.Trace) string {
	if t.Makespan == 0 {
		return ""
	}
	return fmt.Sprintf(", %.0f %% of what there was", 100*float64(t.Burned)/float64(t.Makespan)/float64(s.CPUs))
}

// Moment is what happens at one instant, and how things are after it.
type Moment struct {
	At                        time.Duration
	Text                      string
	Active, Inactive, Running int
}

// Moments runs a scenario and tells it in words.
func Moments(s *sim.Scenario) []Moment { return moments(s, sim.Run(*s)) }

func moments(s *sim.Scenario, t sim.Trace) (ms []Moment) {
	events := slices.Clone(t.Events)
	slices.SortStableFunc(events, func(a, b sim.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Kind, b.Kind))
	})
	books := newBooks(s)
	for _, at := range instants(s, events) {
		var who, does []string
		for i := range s.Items {
			var kinds []sim.EventKind
			for len(events) > 0 && events[0].At == at && events[0].Rank == i {
				kinds = append(kinds, events[0].Kind)
				books.note(events[0])
				events = events[1:]
			}
			if words := tell(s, i, at, kinds); words != "" {
				who, does = append(who, s.Items[i].Name), append(does, words)
			}
		}
		ms = append(ms, Moment{
			At: at, Text: joined(who, does),
			Active: books.active, Inactive: books.arrived(at) - books.activated, Running: books.running,
		})
	}
	return ms
}

// instants are the times at which anything happens, arrivals included.
func instants(s *sim.Scenario, events []sim.Event) (at []time.Duration) {
	for _, e := range events {
		at = append(at, e.At)
	}
	for _, it := range s.Items {
		at = append(at, it.At)
	}
	slices.Sort(at)
	return slices.Compact(at)
}
