package top

import (
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
)

// stackLines are where items are; of a program that cannot say that, its goroutines,
// or those that run a queue's items: whose stack has the function of one in flight.
func (m Model) stackLines() []string {
	if !m.where.unknown {
		return m.whereLines()
	}
	text := strings.ReplaceAll(strings.TrimRight(m.stacks, "\n"), "\t", "  ")
	if m.stackOf == "" {
		return append([]string{styles.title.Render("goroutines")}, strings.Split(text, "\n")...)
	}
	var funcs []string
	for i := range m.rows {
		if m.rows[i].Name != m.stackOf {
			continue
		}
		for _, s := range m.rows[i].Shares {
			for _, f := range s.InFlight {
				if f.Func != "" {
					funcs = append(funcs, f.Func)
				}
			}
		}
	}
	lines := []string{styles.title.Render("goroutines that run items of " + client.CleanLine(m.stackOf))}
	for part := range strings.SplitSeq(text, "\n\n") {
		for _, f := range funcs {
			if strings.Contains(part, f) {
				lines = append(append(lines, strings.Split(part, "\n")...), "")
				break
			}
		}
	}
	if len(lines) == 1 {
		lines = append(lines, "none was found; esc and s in the table show all that the program sent:", "")
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}
