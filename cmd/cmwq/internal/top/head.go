package top

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

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
	most := max(2, (m.height-6-len(m.rows))/2) // they take two lines each, at most
	alerts := m.alerts
	if m.mode == queue {
		alerts = slices.DeleteFunc(slices.Clone(alerts), func(a monitor.Alert) bool { return a.Queue != m.chosen })
	}
	for i, a := range alerts {
		if i == most && len(alerts) > most+1 {
			return append(lines, styles.warn.Render(fmt.Sprintf("  and %d more", len(alerts)-i)))
		}
		style := styles.warn
		if a.Severity == monitor.Stuck {
			style = styles.bad
		}
		text := ansi.Wordwrap(monitor.Letters[a.Severity]+" "+a.Located(m.where.items), m.width-2, "")
		for j, l := range strings.SplitN(text, "\n", 2) {
			if j > 0 {
				l = "  " + strings.ReplaceAll(l, "\n", " ")
			}
			lines = append(lines, style.Render(l))
		}
	}
	return lines
}

// mark is what is wrong with a queue: the worst.
func (m Model) mark(r *monitor.Row) (string, lipgloss.Style) {
	if r.Stuck {
		return monitor.Letters[monitor.Stuck], styles.bad
	}
	for _, a := range m.alerts {
		if a.Queue == r.Name {
			if a.Severity == monitor.Stuck {
				return monitor.Letters[a.Severity], styles.bad
			}
			return monitor.Letters[a.Severity], styles.warn
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
