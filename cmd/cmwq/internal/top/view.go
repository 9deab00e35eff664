package top

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

// What matters is also said by a mark or in words: colours are for those who see
// them. They are the terminal's own, which its user can read.
var styles = struct{ head, title, bad, warn, dim, plain lipgloss.Style }{
	head:  lipgloss.NewStyle().Underline(true),
	title: lipgloss.NewStyle().Bold(true),
	bad:   lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true),
	warn:  lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	dim:   lipgloss.NewStyle().Faint(true),
}

// View shows the state.
func (m Model) View() tea.View {
	v := tea.NewView(m.text())
	v.AltScreen = true
	v.WindowTitle = "cmwq top " + m.ask.Addr()
	return v
}

// text is the whole screen: as many lines as the window has, none wider than it.
func (m Model) text() string {
	if m.width < 30 || m.height < 8 {
		return "too small"
	}
	lines := m.head()
	if m.mode == queues {
		lines = append(lines, m.table()...)
	} else {
		all := m.lines()
		from := max(0, min(m.scroll, len(all)-1))
		lines = append(lines, all[from:]...)
	}
	lines = lines[:min(len(lines), m.height-1)]
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	lines = append(lines, m.foot())
	for i, l := range lines {
		lines[i] = lipgloss.NewStyle().MaxWidth(m.width).Render(l)
	}
	return strings.Join(lines, "\n")
}

// head is what stands above everything: who is shown, the sums, and what is wrong.
func (m Model) head() []string {
	who := styles.title.Render("cmwq top")
	switch {
	case m.now == nil && m.err == nil:
		who += "  asking..."
	case m.now != nil:
		who += "  " + m.now.At.Local().Format("15:04:05")
	}
	if m.paused {
		who += styles.warn.Render("  paused")
	}
	who += "  every " + m.every.String()
	if m.now != nil && m.now.Uptime > 0 {
		who += "  up " + monitor.Span(m.now.Uptime)
	}
	who += "  " + client.CleanLine(m.ask.Addr())
	lines := []string{who, m.sums()}
	if m.err != nil {
		first, _, _ := strings.Cut(m.err.Error(), "\n")
		lines = append(lines, styles.bad.Render("! "+client.CleanLine(first)+"; trying again"))
	}
	if m.mode != queues && m.mode != queue {
		return lines[:1]
	}
	return append(lines, m.alertLines()...)
}

// alertLines are the worst alerts, or those of the queue that is looked into, in a
// line each or two.
func (m Model) alertLines() (lines []string) {
	const most = 3
	for i, a := range m.alerts {
		if m.mode == queue && a.Queue != m.chosen {
			continue
		}
		if len(lines) >= most {
			return append(lines, styles.warn.Render(fmt.Sprintf("  and %d more", len(m.alerts)-i)))
		}
		style := styles.warn
		if a.Severity == monitor.Stuck {
			style = styles.bad
		}
		text := ansi.Wordwrap(letters[a.Severity]+" "+m.located(a), m.width-2, "")
		for j, l := range strings.SplitN(text, "\n", 2) {
			if j > 0 {
				l = "  " + strings.ReplaceAll(l, "\n", " ")
			}
			lines = append(lines, style.Render(l))
		}
	}
	return lines
}

// located is an alert with where the worker is that is to blame. The rule for hogs goes
// by wall time: who blocks without a word may be taken for one.
func (m Model) located(a monitor.Alert) string {
	w := m.where.of(a.Worker)
	switch {
	case w == nil:
		return a.Text
	case a.Severity == monitor.Hogging && w.Blocked():
		return strings.Replace(a.Text, "has had the CPU for", "is taken for a hog for", 1) + ", but it is " + place(w)
	}
	return a.Text + ", " + place(w)
}

// letters mark what is wrong with a queue.
var letters = map[int]string{monitor.Stuck: "!", monitor.Hogging: "H", monitor.Silent: "S", monitor.Failing: "F"}

// mark is what is wrong with a queue: the worst.
func (m Model) mark(r *monitor.Row) (string, lipgloss.Style) {
	if r.Stuck {
		return letters[monitor.Stuck], styles.bad
	}
	for _, a := range m.alerts {
		if a.Queue == r.Name {
			if a.Severity == monitor.Stuck {
				return letters[a.Severity], styles.bad
			}
			return letters[a.Severity], styles.warn
		}
	}
	return " ", styles.plain
}

func (m Model) sums() string {
	if m.now == nil {
		return ""
	}
	var busy, waiting, workers, idle int
	var inFlight int64
	rate, load := 0.0, 0.0
	for i := range m.rows {
		r := &m.rows[i]
		if r.Stats.InFlight > 0 || r.Waiting > 0 {
			busy++
		}
		waiting += r.Waiting
		inFlight += r.Stats.InFlight
		rate += max(0, r.Rate)
		load += max(0, r.Load)
	}
	for i := range m.now.Pools {
		workers += m.now.Pools[i].Workers
		idle += len(m.now.Pools[i].Idle)
	}
	return fmt.Sprintf("%d queues, %d busy · %s/s · %d run, %d wait · load %s · %d workers, %d idle",
		len(m.rows), busy, monitor.Rate(rate), inFlight, waiting, monitor.Rate(load), workers, idle)
}

func (m Model) foot() string {
	if m.typing {
		return "filter: " + client.CleanLine(m.filter) + "▏  enter keeps it, esc shows all"
	}
	keys := "esc back · ↑↓ scroll · s stacks · space pause · ? help · q quit"
	if m.mode == queues {
		keys = "enter look into · / filter · < > r sort · s stacks · space pause · ? help · q"
		if m.filter != "" {
			keys = "filter: " + client.CleanLine(m.filter) + " (esc shows all) · enter look into · < > r sort · ? help · q quit"
		}
	}
	return styles.dim.Render(keys)
}
