package top

import (
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

// span is how many rates of a queue are kept.
const span = 60

// trend is the last rates of each queue, oldest first. Queues that are gone are
// forgotten.
type trend map[string][]float32

func (t trend) add(rows []monitor.Row) {
	seen := make(map[string]bool, len(rows))
	for i := range rows {
		r := &rows[i]
		seen[r.Name] = true
		if r.Rate < 0 {
			continue
		}
		old := t[r.Name]
		if len(old) == span {
			old = append(old[:0], old[1:]...)
		}
		t[r.Name] = append(old, float32(r.Rate))
	}
	for name := range t {
		if !seen[name] {
			delete(t, name)
		}
	}
}

var bars = []rune("▁▂▃▄▅▆▇█")

// line draws the last rates of a queue, scaled to the largest of them.
func (t trend) line(name string, width int) string {
	all := t[name]
	all = all[max(0, len(all)-width):]
	var most float32
	for _, x := range all {
		most = max(most, x)
	}
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", width-len(all)))
	for _, x := range all {
		i := 0
		if most > 0 {
			i = min(len(bars)-1, int(x/most*float32(len(bars))))
		}
		b.WriteRune(bars[i])
	}
	return b.String()
}
