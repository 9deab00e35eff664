package top

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

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
