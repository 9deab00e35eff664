package monitor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Column is one number of a queue.
type Column struct {
	Name  string // to choose it by
	Head  string // what stands above it
	Width int
	Help  string
	Text  func(*Row) string
	Value func(*Row) float64 // to sort by
}

func count(name, head string, width int, help string, get func(*Row) int64) Column {
	return Column{
		name, head, width, help,
		func(r *Row) string { return Count(get(r)) },
		func(r *Row) float64 { return float64(get(r)) },
	}
}

// only is a column that has a meaning for some queues, "-" for the others.
func only(c Column, when func(*Row) bool) Column {
	text := c.Text
	c.Text = func(r *Row) string {
		if !when(r) {
			return "-"
		}
		return text(r)
	}
	return c
}

func span(name, head, help string, get func(*Row) (time.Duration, int64)) Column {
	return Column{
		name, head, 7, help,
		func(r *Row) string {
			d, n := get(r)
			if n == 0 {
				return "-"
			}
			return Span(d)
		},
		func(r *Row) float64 { d, _ := get(r); return float64(d) },
	}
}

func rate(name, head string, width int, help string, get func(*Row) float64) Column {
	return Column{
		name, head, width, help,
		func(r *Row) string { return Rate(get(r)) },
		get,
	}
}

// Columns are all there are.
var Columns = []Column{
	count("total", "total", 8, "items whose execution started", func(r *Row) int64 { return r.Stats.Total }),
	rate("rate", "rate/s", 8, "of them, a second since the line before", func(r *Row) float64 { return r.Rate }),
	count("infl", "infl", 5, "items executing now; queued ones are not in it", func(r *Row) int64 { return r.Stats.InFlight }),
	count("wait", "wait", 6, "items queued that have not begun", func(r *Row) int64 { return int64(r.Waiting) }),
	{
		"cputime", "CPUtime", 8, "seconds on items, less declared sleeps",
		func(r *Row) string { return strconv.FormatFloat(r.Stats.CPUTime.Seconds(), 'f', 1, 64) },
		func(r *Row) float64 { return float64(r.Stats.CPUTime) },
	},
	rate("load", "load", 5, "time on items a second, less declared sleeps; counted when they end", func(r *Row) float64 { return r.Load }),
	only(count("cpuhog", "CPUhog", 7, "times that an item kept its worker for 10 ms: it computed, or blocked unsaid; - if unbound",
		func(r *Row) int64 { return r.Stats.CPUHog }), func(r *Row) bool { return !r.Unbound() }),
	count("cmw", "CMW/RPR", 8, "wake-ups because an item of this queue blocked; unbound: repatriations",
		func(r *Row) int64 {
			if r.Unbound() {
				return r.Stats.Repatriated
			}
			return r.Stats.CMWakeup
		}),
	only(count("mayday", "mayday", 7, "times that its rescuer was called; - without MemReclaim",
		func(r *Row) int64 { return r.Stats.Mayday }), (*Row).rescued),
	only(count("rescued", "rescued", 8, "items that its rescuer ran; - without MemReclaim",
		func(r *Row) int64 { return r.Stats.Rescued }), (*Row).rescued),
	count("active", "active", 7, "items that hold a slot of max_active", func(r *Row) int64 { return int64(r.Stats.Active) }),
	count("inactive", "inact", 6, "items that wait for one", func(r *Row) int64 { return int64(r.Stats.Inactive) }),
	count("delayed", "delayed", 8, "items armed, waiting for their time", func(r *Row) int64 { return int64(r.Stats.Delayed) }),
	count("failed", "failed", 7, "items that failed for good", func(r *Row) int64 { return r.Stats.Failed }),
	count("retried", "retried", 8, "failures after which an item was to run again", func(r *Row) int64 { return r.Stats.Retried }),
	count("dead", "dead", 6, "items kept as dead letters", func(r *Row) int64 { return r.Stats.DeadLettered }),
	count("cancelled", "cancel", 7, "items taken back before they began", func(r *Row) int64 { return r.Stats.Cancelled }),
	count("dropped", "drop", 6, "items not run because their queue ended", func(r *Row) int64 { return r.Stats.Dropped }),
	span("wait50", "w50", "queueing to start, median", func(r *Row) (time.Duration, int64) { return r.Wait.P50, r.Wait.N }),
	span("wait99", "w99", "queueing to start, 99th percentile", func(r *Row) (time.Duration, int64) { return r.Wait.P99, r.Wait.N }),
	span("run50", "r50", "start to end, median", func(r *Row) (time.Duration, int64) { return r.Run.P50, r.Run.N }),
	span("run99", "r99", "start to end, 99th percentile", func(r *Row) (time.Duration, int64) { return r.Run.P99, r.Run.N }),
}

// Kernel are the names of the columns of the kernel's wq_monitor, in its order, with
// the rate; Wide adds this library's own.
var (
	Kernel = []string{"total", "rate", "infl", "cputime", "cpuhog", "cmw", "mayday", "rescued"}
	Wide   = append(slices.Clone(Kernel), "wait", "delayed", "failed", "retried", "dead", "cancelled", "wait50", "wait99", "run50", "run99")
)

// Named finds columns.
func Named(names []string) ([]Column, error) {
	var cs []Column
	for _, n := range names {
		i := slices.IndexFunc(Columns, func(c Column) bool { return c.Name == strings.TrimSpace(n) })
		if i < 0 {
			return nil, fmt.Errorf("no column %q; there are %s", n, strings.Join(Names(), ", "))
		}
		cs = append(cs, Columns[i])
	}
	return cs, nil
}

// Names are the names of all columns.
func Names() (names []string) {
	for _, c := range Columns {
		names = append(names, c.Name)
	}
	return names
}

// Unbound says whether the queue's pools do not manage concurrency, as an ordered
// queue's do not either.
func (r *Row) Unbound() bool { return r.Kind == "unbound" || r.Kind == "ordered" }

func (r *Row) rescued() bool { return slices.Contains(r.Flags, "mem_reclaim") }
