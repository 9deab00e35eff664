package top

import (
	"fmt"
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

// The columns of the table, the most wanted first: a narrow window has fewer.
var wanted = []string{
	"rate", "infl", "wait", "load", "cpuhog", "failed", "wait99",
	"total", "run99", "delayed", "retried", "dead", "cmw", "mayday", "rescued", "cancelled",
}

const (
	leastName  = 20
	mostName   = 48
	trendWidth = 20
	// beforeTrend columns are wanted more than the rates drawn.
	beforeTrend = 7
)

// layout is what a window of some width has room for.
type layout struct {
	name    int
	columns []monitor.Column
	trend   bool
}

func (m Model) layout() layout {
	all, err := monitor.Named(wanted)
	if err != nil {
		panic(err) // they are all ours
	}
	l := layout{}
	left := m.width - 2 - leastName // a mark and a blank stand before the name
	for i, c := range all {
		if i == beforeTrend && left > trendWidth {
			left -= trendWidth + 1
			l.trend = true
		}
		if left < c.Width+1 {
			break
		}
		left -= c.Width + 1
		l.columns = append(l.columns, c)
	}
	l.name = max(1, min(leastName+left, mostName))
	return l
}

func (m Model) table() []string {
	l := m.layout()
	lines := []string{styles.head.Render(monitor.Pad(m.tableHead(l), m.width))}
	rows := m.visible()
	room, at := m.room(), 0
	if len(rows) > 0 {
		at = index(rows, m.chosen)
	}
	from := window(m.top, at, room, len(rows))
	for i := from; i < min(len(rows), from+room); i++ {
		r := rows[i]
		mark, style := m.mark(r)
		if i == at {
			mark += ">"
			style = style.Reverse(true)
		} else {
			mark += " "
		}
		lines = append(lines, style.Render(monitor.Pad(mark+m.tableRow(l, r), m.width)))
	}
	switch {
	case m.now == nil:
	case len(rows) == 0 && m.filter != "":
		lines = append(lines, "  no queue's name contains "+fmt.Sprintf("%q", m.filter)+"; esc shows all")
	case len(rows) == 0:
		lines = append(lines, "  there is no queue")
	}
	return lines
}

func (m Model) tableHead(l layout) string {
	var b strings.Builder
	b.WriteString("  " + monitor.Pad(m.title("name", "queue"), l.name))
	for _, c := range l.columns {
		fmt.Fprintf(&b, " %*s", c.Width, m.title(c.Name, c.Head))
	}
	if l.trend {
		b.WriteString(" " + monitor.Pad("rate, lately", trendWidth))
	}
	return b.String()
}

func (m Model) tableRow(l layout, r *monitor.Row) string {
	var b strings.Builder
	b.WriteString(monitor.Pad(client.CleanLine(r.Name), l.name))
	for _, c := range l.columns {
		fmt.Fprintf(&b, " %*s", c.Width, c.Text(r))
	}
	if l.trend {
		b.WriteString(" " + m.trend.line(r.Name, trendWidth))
	}
	return b.String()
}

// title marks the column that is sorted by.
func (m Model) title(column, head string) string {
	switch {
	case column != m.sort:
		return head
	case m.reverse != (column == "name"):
		return head + "↑"
	}
	return head + "↓"
}
