package top

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// whereabouts are where the items in flight were last seen.
type whereabouts struct {
	items   []messages.Diagnosed
	unknown bool // the program cannot say
}

// seek asks where items are, if that is shown or might explain something. The program looks no more often than it
// can afford, however often it is asked.
func (m Model) seek() tea.Cmd {
	if m.where.unknown || m.mode != queue && m.mode != stacks && len(m.alerts) == 0 && !monitor.Wonders(m.rows) {
		return nil
	}
	return func() tea.Msg {
		d, err := m.ask.Where(m.ctx)
		return Whereabouts{d, err}
	}
}

// found takes the answer; a program that has none may show its goroutines.
func (m Model) found(w Whereabouts) (tea.Model, tea.Cmd) {
	if w.Err == nil {
		m.where.items = w.Diagnosis.Items
		if m.now != nil {
			m.alerts = m.find()
		}
		return m, nil
	}
	m.where = whereabouts{unknown: true}
	if m.mode != stacks {
		return m, nil
	}
	return m, m.fetchStacks()
}

func (m Model) fetchStacks() tea.Cmd {
	return func() tea.Msg {
		text, err := m.ask.Stacks(m.ctx)
		return Goroutines{text, err}
	}
}

// whereLines are the items in flight, of a queue or all, with their stacks.
func (m Model) whereLines() []string {
	title := "items in flight, and where they are"
	if m.stackOf != "" {
		title = "items of " + client.CleanLine(m.stackOf) + ", and where they are"
	}
	lines := []string{styles.title.Render(title)}
	for i := range m.where.items {
		d := &m.where.items[i]
		if m.stackOf != "" && d.Queue != m.stackOf {
			continue
		}
		line := fmt.Sprintf("%s  %s  %s for %s, %s", client.CleanLine(d.Queue), client.CleanLine(d.Worker), monitor.ShortFunc(d.Func), monitor.Span(d.For), client.CleanLine(d.State))
		lines = append(lines, "", styles.title.Render(line))
		if d.Where == nil {
			lines = append(lines, "    not looked for yet")
			continue
		}
		lines = append(lines, "    "+monitor.Place(d.Where))
		for _, f := range d.Where.Stack {
			lines = append(lines, fmt.Sprintf("      %-40s %s:%d", monitor.ShortFunc(f.Func), client.CleanLine(f.File), f.Line))
		}
	}
	if len(lines) == 1 {
		lines = append(lines, "", "  nothing is in flight, or nobody has looked yet")
	}
	return lines
}
