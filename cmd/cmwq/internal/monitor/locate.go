package monitor

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/messages"
)

// Letters mark what is wrong with a queue.
var Letters = map[int]string{Stuck: "!", Hogging: "H", Silent: "S", Failing: "F", Halted: "P"}

// WhereOf gives where the item is that a worker runs, or nil.
func WhereOf(items []messages.Diagnosed, worker string) *messages.Where {
	for i := range items {
		if d := &items[i]; d.Worker == worker {
			return d.Where
		}
	}
	return nil
}

// Located is the alert with where the worker is that is to blame.
func (a Alert) Located(items []messages.Diagnosed) string {
	w := WhereOf(items, a.Worker)
	switch {
	case w == nil:
		return a.Text
	case a.Severity == Silent:
		return a.Text + ", " + strings.TrimPrefix(Place(w), "blocked ")
	}
	return strings.TrimSuffix(a.Text, ", running") + ", " + Place(w)
}

// Place says where an item is, in a few words.
func Place(w *messages.Where) string {
	at := fmt.Sprintf("%s:%d", path.Base(w.File), w.Line)
	if w.Blocked() {
		return client.CleanLine("blocked in " + w.State + " at " + at)
	}
	return client.CleanLine("running at " + at)
}

// advice is what may be done, a line that follows the alert.
var advice = map[int]string{
	Hogging: "declare the queue CPUIntensive, or have long items call ctx.Yield",
	Silent:  "wrap what blocks in ctx.Block, or use ctx.Sleep and cmwq.Await",
}

// WriteAlerts writes the alerts as lines, with advice after the first of a kind.
func WriteAlerts(w io.Writer, alerts []Alert, items []messages.Diagnosed) error {
	const most = 30
	var b strings.Builder
	told := map[int]bool{}
	for i, a := range alerts {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(alerts)-i)
			break
		}
		fmt.Fprintf(&b, "%s %s\n", Letters[a.Severity], a.Located(items))
		if say := advice[a.Severity]; say != "" && !told[a.Severity] && a.Worker != "" {
			fmt.Fprintf(&b, "    %s\n", say)
		}
		told[a.Severity] = told[a.Severity] || a.Worker != ""
	}
	_, err := io.WriteString(w, b.String())
	return err
}
