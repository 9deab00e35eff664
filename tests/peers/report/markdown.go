// Package report writes what was measured, and judges it by the goals.
package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/cmwq/cmwq/tests/peers/run"
	"github.com/cmwq/cmwq/tests/peers/system"
)

// Markdown writes a table of the goals, one of each workload, and what else a reader
// must know.
func Markdown(w io.Writer, m Machine, goals []Goal, cells []*run.Cell) error {
	b := bufio.NewWriter(w)
	out := func(format string, args ...any) { _, _ = fmt.Fprintf(b, format+"\n", args...) }
	out("# cmwq beside its peers\n")
	out("`go run . %s` on %s, %s, GOMAXPROCS=%d, %s. Medians; ± is the interquartile range by the median.", m.Args, m.CPU, m.Go, m.Procs, m.Date)
	if m.Quick {
		out("\n**A quick look: sizes and repetitions are too small for a claim.**")
	}
	if n, all := disturbed(cells); n > 0 {
		out("\nOther programs disturbed %d of %d repetitions, which count only where fewer than three others were made.", n, all)
	}
	writeGoals(out, Judge(goals, cells))
	for _, table := range byWorkload(cells) {
		writeTable(out, table)
	}
	writeSetups(out, cells)
	return b.Flush()
}

// writeTable writes a workload: a row a system, the best by the first figure on top, and
// each row's ratio to the best peer.
func writeTable(out func(string, ...any), cells []*run.Cell) {
	w := cells[0].Workload
	peers := BestPeer(cells, w.ID, w.Figures[0].Name) != nil
	head, rule := "| |", "|---|"
	for i, f := range w.Figures {
		head += fmt.Sprintf(" %s |", strings.TrimSuffix(f.Name+", "+f.Unit, ", "))
		rule += "---|"
		if i == 0 && peers {
			head += " of the best peer |"
			rule += "---|"
		}
	}
	out("\n## %s: %s\n\n%s n |\n%s---|", w.ID, w.Title, head, rule)
	var failed []string
	skipped := map[string][]string{} // by reason
	var rows []*run.Cell
	for _, c := range cells {
		switch {
		case c.Skipped != "":
			skipped[c.Skipped] = append(skipped[c.Skipped], c.System.Name)
		case c.Err != nil:
			failed = append(failed, fmt.Sprintf("**%s: %v**", c.System.Name, c.Err))
		case c.OK():
			rows = append(rows, c)
		}
	}
	slices.SortStableFunc(rows, func(a, b *run.Cell) int {
		x, y := a.Figure(0).Median, b.Figure(0).Median
		switch {
		case x == y:
			return 0
		case better(x, y, w.Figures[0].Up):
			return -1
		}
		return 1
	})
	for _, c := range rows {
		out("%s", line(cells, c))
	}
	if len(failed) > 0 {
		out("\nFailed: %s.", strings.Join(failed, "; "))
	}
	if len(skipped) > 0 {
		var rest []string
		for _, why := range slices.Sorted(maps.Keys(skipped)) {
			rest = append(rest, fmt.Sprintf("%s (%s)", strings.Join(skipped[why], ", "), why))
		}
		out("\nNot compared: %s.", strings.Join(rest, "; "))
	}
}

func line(cells []*run.Cell, c *run.Cell) string {
	name := c.System.Name
	if c.System.Ours {
		name = "**" + name + "**"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", name)
	for i, f := range c.Workload.Figures {
		s := c.Figure(i)
		fmt.Fprintf(&b, " %s", number(s.Median))
		if i == 0 {
			b.WriteString(spread(s.N, s.Spread))
		}
		b.WriteString(" |")
		if r := ratio(cells, c, f.Name, s); i == 0 && r != nil {
			fmt.Fprintf(&b, " %.2f |", *r)
		}
	}
	fmt.Fprintf(&b, " %d", c.Clean()+c.Disturbed())
	if c.Disturbed() > 0 {
		fmt.Fprintf(&b, " (%d disturbed)", c.Disturbed())
	}
	b.WriteString(" |")
	return b.String()
}

func writeSetups(out func(string, ...any), cells []*run.Cell) {
	out("\n## How each is set up\n")
	seen := map[string]bool{}
	for _, c := range cells {
		if s := c.System; !seen[s.Name] {
			seen[s.Name] = true
			out("- %s: %s", s.Name, setup(s))
		}
	}
}

func setup(s system.System) string { return s.Setup + "." }

func byWorkload(cells []*run.Cell) (tables [][]*run.Cell) {
	for _, c := range cells {
		if n := len(tables); n > 0 && tables[n-1][0].Workload.ID == c.Workload.ID {
			tables[n-1] = append(tables[n-1], c)
		} else {
			tables = append(tables, []*run.Cell{c})
		}
	}
	return tables
}

func disturbed(cells []*run.Cell) (n, all int) {
	for _, c := range cells {
		n, all = n+c.Disturbed(), all+c.Disturbed()+c.Clean()
	}
	return n, all
}
