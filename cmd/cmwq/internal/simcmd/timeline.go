package simcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/internal/policy"
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
	moments := moments(&st.Scenario, t)
	width := len("event")
	for _, m := range moments {
		width = max(width, ansi.StringWidth(m.text))
	}
	width = min(width, mostText)
	stamp := 6
	for _, m := range moments {
		stamp = max(stamp, len(sim.Millis(m.at)))
	}
	indent := strings.Repeat(" ", stamp+2)
	fmt.Fprintf(&b, "%*s  %s  active  inactive  running\n", stamp, "t/ms", monitor.Pad("event", width))
	for _, m := range moments {
		lines := wrap(m.text, width)
		for i, line := range lines {
			if i < len(lines)-1 { // the numbers stand beside the last line of an instant
				fmt.Fprintf(&b, "%*s  %s\n", stamp, first(i, sim.Millis(m.at)), line)
				continue
			}
			fmt.Fprintf(&b, "%*s  %s  %6d  %8d  %7d\n", stamp, first(i, sim.Millis(m.at)), monitor.Pad(line, width), m.active, m.inactive, m.running)
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

// moment is what happens at one instant, and how things are after it.
type moment struct {
	at                        time.Duration
	text                      string
	active, inactive, running int
}

// moments tells a trace in words.
func moments(s *sim.Scenario, t sim.Trace) (ms []moment) {
	events := slices.Clone(t.Events)
	slices.SortStableFunc(events, func(a, b sim.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Kind, b.Kind))
	})
	books := newBooks(s)
	for _, at := range instants(s, events) {
		m := moment{at: at}
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
		m.text = joined(who, does)
		m.active, m.running = books.active, books.running
		m.inactive = books.arrived(at) - books.activated
		ms = append(ms, m)
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

// books keeps what the table counts beside the events.
type books struct {
	s                          *sim.Scenario
	counts                     []bool // the item's worker counts as runnable
	out                        []bool // it will not count again before its end
	active, activated, running int
}

func newBooks(s *sim.Scenario) *books {
	return &books{s: s, counts: make([]bool, len(s.Items)), out: make([]bool, len(s.Items))}
}

func (b *books) arrived(at time.Duration) (n int) {
	for _, it := range b.s.Items {
		if it.At <= at {
			n++
		}
	}
	return n
}

func (b *books) note(e sim.Event) {
	i := e.Rank
	switch e.Kind {
	case sim.Activate:
		b.active++
		b.activated++
	case sim.Kick:
		b.out[i] = b.s.Kind != policy.Unbound && b.s.Queues[b.s.Items[i].Queue].CPUIntensive
		b.count(i, true)
	case sim.Wake:
		b.count(i, true)
	case sim.Slept:
		b.count(i, false)
	case sim.Asleep, sim.Hog:
		b.count(i, false)
		b.out[i] = true
	case sim.End:
		b.count(i, false)
		b.active--
	case sim.Start, sim.Blocked:
	}
}

func (b *books) count(i int, counts bool) {
	counts = counts && !b.out[i]
	if counts != b.counts[i] {
		b.counts[i] = counts
		if counts {
			b.running++
		} else {
			b.running--
		}
	}
}
