package top

import (
	"cmp"
	"fmt"
	"slices"
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

// visible are the rows that the filter leaves, in the chosen order.
func (m Model) visible() []*monitor.Row {
	var rows []*monitor.Row
	want := strings.ToLower(m.filter)
	for i := range m.rows {
		if strings.Contains(strings.ToLower(m.rows[i].Name), want) {
			rows = append(rows, &m.rows[i])
		}
	}
	by := func(a, b *monitor.Row) int { return strings.Compare(a.Name, b.Name) }
	if c, err := monitor.Named([]string{m.sort}); err == nil { // the name is no column
		by = func(a, b *monitor.Row) int { return cmp.Compare(c[0].Value(b), c[0].Value(a)) }
	}
	slices.SortFunc(rows, func(a, b *monitor.Row) int {
		c := by(a, b)
		if m.reverse {
			c = -c
		}
		return cmp.Or(c, strings.Compare(a.Name, b.Name))
	})
	return rows
}

// neighbour is the column beside the one that is sorted by.
func (m Model) neighbour(step int) string {
	names := []string{"name"}
	for _, c := range m.layout().columns {
		names = append(names, c.Name)
	}
	i := max(0, slices.Index(names, m.sort))
	return names[(i+step+len(names))%len(names)]
}

// room is how many rows the window shows.
func (m Model) room() int { return max(1, m.height-len(m.head())-2) }

// cursor is the queue that is chosen, or the first.
func (m Model) cursor() string {
	rows := m.visible()
	if len(rows) == 0 {
		return ""
	}
	return rows[index(rows, m.chosen)].Name
}

func index(rows []*monitor.Row, name string) int {
	return max(0, slices.IndexFunc(rows, func(r *monitor.Row) bool { return r.Name == name }))
}

func (m Model) move(by int) Model {
	rows := m.visible()
	if len(rows) == 0 {
		return m
	}
	m.chosen = rows[max(0, min(len(rows)-1, index(rows, m.chosen)+by))].Name
	m.top = window(m.top, index(rows, m.chosen), m.room(), len(rows))
	return m
}

// window is the first row shown, so that the chosen one is.
func window(top, at, room, n int) int {
	top = min(top, at)
	top = max(top, at-room+1)
	return max(0, min(top, n-room))
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
