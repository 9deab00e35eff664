package top

import (
	"fmt"
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// lines is what a screen without a table scrolls.
func (m Model) lines() []string {
	switch m.mode {
	case queue:
		return m.detail()
	case stacks:
		return m.stackLines()
	case help:
		return strings.Split(strings.TrimRight(helpText, "\n"), "\n")
	case queues:
	}
	return nil
}

// detail is one queue: its numbers, and each share with what is in flight, pending
// and held.
func (m Model) detail() []string {
	i := -1
	for j := range m.rows {
		if m.rows[j].Name == m.chosen {
			i = j
		}
	}
	if i < 0 {
		return []string{"", fmt.Sprintf("  queue %s is gone; esc leads back", client.CleanLine(m.chosen))}
	}
	r := &m.rows[i]
	lines := []string{"", styles.title.Render("queue "+client.CleanLine(r.Name)) + "  " + client.CleanLine(strings.Join(r.Flags, " "))}
	lines = append(lines, m.numbers(r)...)
	if t := m.trend.line(r.Name, span); strings.TrimSpace(t) != "" {
		lines = append(lines, "  rate, lately  "+strings.TrimLeft(t, " "))
	}
	for j := range r.Shares {
		lines = append(lines, m.share(&r.Shares[j])...)
	}
	if len(r.Shares) == 0 {
		lines = append(lines, "", "  no pool has work of it")
	}
	return lines
}

// numbers lists every column, in as many columns as there is room for.
func (m Model) numbers(r *monitor.Row) (lines []string) {
	const cell = 19
	line := " "
	for i := range monitor.Columns {
		c := &monitor.Columns[i]
		if len(line)+cell > max(m.width, cell+1) {
			lines = append(lines, line)
			line = " "
		}
		line += fmt.Sprintf(" %-9s %7s  ", c.Head, c.Text(r))
	}
	return append(lines, line)
}

func (m Model) share(s *messages.ShareSnapshot) []string {
	head := fmt.Sprintf("on pool %s: active %d", client.CleanLine(s.Pool), s.Active)
	if s.MaxActive > 0 {
		head += fmt.Sprintf("/%d", s.MaxActive)
	}
	if s.Inactive > 0 {
		head += fmt.Sprintf(", inactive %d", s.Inactive)
	}
	lines := []string{"", "  " + styles.title.Render(head) + m.pool(s.Pool)}
	for _, f := range s.InFlight {
		line := fmt.Sprintf("    %-18s %8s  %-14s %s", client.CleanLine(f.Worker), monitor.Span(f.For), client.CleanLine(f.State), monitor.ShortFunc(f.Func))
		if f.Desc != "" {
			line += fmt.Sprintf("  %q", f.Desc)
		}
		if f.Waiters > 0 {
			line += fmt.Sprintf("  %d wait for it", f.Waiters)
		}
		switch f.State {
		case "hog":
			line = styles.warn.Render(line)
		case "sleeping", "assumed asleep":
			line = styles.dim.Render(line)
		}
		lines = append(lines, line)
		if w := monitor.WhereOf(m.where.items, f.Worker); w != nil {
			lines = append(lines, "      "+monitor.Place(w)+" in "+monitor.ShortFunc(w.Func))
		}
		lines = append(lines, runs("then", f.Scheduled)...)
	}
	lines = append(lines, runs("pending", s.Pending)...)
	return append(lines, runs("inactive", s.Held)...)
}

// pool says how the pool is that a share is of.
func (m Model) pool(name string) string {
	for i := range m.now.Pools {
		p := &m.now.Pools[i]
		if p.Name != name {
			continue
		}
		s := fmt.Sprintf("  (%s, %d workers, %d", client.CleanLine(p.Kind), p.Workers, p.Running)
		if p.Width > 0 {
			s += fmt.Sprintf("/%d", p.Width)
		}
		s += fmt.Sprintf(" running, %d wait", p.Waiting)
		if p.Waiting > 0 && p.Hung >= monitor.StuckAfter {
			return s + ", " + styles.bad.Render("stuck for "+monitor.Span(p.Hung)) + ")"
		}
		return s + ")"
	}
	return ""
}

func runs(what string, rs []messages.Run) (lines []string) {
	for i, r := range rs {
		label := ""
		if i == 0 {
			label = what
		}
		line := fmt.Sprintf("    %-9s %7d × %s", label, r.N, monitor.ShortFunc(r.Func))
		if r.Waiters > 0 {
			line += fmt.Sprintf("  %d wait for the last", r.Waiters)
		}
		lines = append(lines, line)
	}
	return lines
}
