package top

import (
	"cmp"
	"slices"
	"time"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

// quietAfter is how long an item may be blocked without a word before that is told: as
// long as it may have a CPU.
const quietAfter = 10 * time.Millisecond

// declared is the state of an item that sleeps and said so.
const declared = "sleeping"

// quiet adds to the alerts whose items block without a word, as far as it is known
// where they are. The numbers alone take such an item for a hog, or see nothing.
func (m Model) quiet(alerts []monitor.Alert) []monitor.Alert {
	if len(m.where.items) == 0 {
		return alerts
	}
	minds := make(map[string]bool, len(m.rows)) // unbound pools do not
	for i := range m.rows {
		minds[m.rows[i].Name] = !m.rows[i].Unbound()
	}
	for i := range m.where.items {
		d := &m.where.items[i]
		if d.Where == nil || !d.Where.Blocked() || d.For < quietAfter || d.State == declared || !minds[d.Queue] {
			continue
		}
		ours := func(a monitor.Alert) bool {
			return a.Queue == d.Queue && (a.Severity == monitor.Silent || a.Severity == monitor.Hogging)
		}
		if slices.ContainsFunc(alerts, func(a monitor.Alert) bool { return ours(a) && a.Worker == d.Worker && a.Severity == monitor.Silent }) {
			continue // the pool has found out by itself
		}
		alerts = append(slices.DeleteFunc(alerts, ours), monitor.Alert{
			Severity: monitor.Silent, Queue: d.Queue, Worker: d.Worker,
			Text: "queue " + client.CleanLine(d.Queue) + ": " + monitor.ShortFunc(d.Func) + " blocks without a word",
		})
	}
	slices.SortStableFunc(alerts, func(a, b monitor.Alert) int { return cmp.Compare(b.Severity, a.Severity) })
	return alerts
}
