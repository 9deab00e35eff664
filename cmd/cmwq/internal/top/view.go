package top

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
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
		return ansi.Truncate("too small", m.width, "")
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
