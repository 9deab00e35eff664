// Package monitor turns two snapshots of a program into the kernel's wq_monitor
// columns, and more, with rates.
package monitor

import (
	"regexp"
	"slices"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Row is one queue: its numbers, and what they say since the snapshot before.
type Row struct {
	*messages.QueueSnapshot
	Waiting int     // queued and not begun, all shares together
	Stuck   bool    // it waits in a pool that makes no progress
	Rate    float64 // items that started, a second; -1: not known yet
	Load    float64 // time on items a second, less declared sleeps, as they end; -1: not known yet
	Fails   float64 // failures for good, a second; -1: not known yet
	Hogs    int64   // items found to hog since then
}

// StuckAfter is how long a pool may go without progress, while work waits, before
// its queues are called stuck: a third of the watchdog's default.
const StuckAfter = 10 * time.Second

// Rows lists the queues of a snapshot whose names match any of the filters, or all
// of them if there is none, in the order of the snapshot. The snapshot before may
// be nil.
func Rows(now, before *messages.Snapshot, filters []*regexp.Regexp) []Row {
	old := map[string]*messages.QueueSnapshot{}
	var dt float64
	if before != nil {
		dt = now.At.Sub(before.At).Seconds()
		for i := range before.Queues {
			old[before.Queues[i].Name] = &before.Queues[i]
		}
	}
	hung := map[string]bool{}
	for i := range now.Pools {
		if p := &now.Pools[i]; p.Waiting > 0 && p.Hung >= StuckAfter {
			hung[p.Name] = true
		}
	}
	rows := make([]Row, 0, len(now.Queues))
	for i := range now.Queues {
		q := &now.Queues[i]
		if !match(q.Name, filters) {
			continue
		}
		r := Row{QueueSnapshot: q, Rate: -1, Load: -1, Fails: -1}
		for j := range q.Shares {
			s := &q.Shares[j]
			w := waiting(s)
			r.Waiting += w
			_, held := heldUp(s)
			r.Stuck = r.Stuck || r.halted() == "" && (held || w > 0 && hung[s.Pool])
		}
		if o := old[q.Name]; o != nil && dt > 0 && o.Stats.Total <= q.Stats.Total { // less: another queue of this name
			r.Rate = float64(q.Stats.Total-o.Stats.Total) / dt
			r.Load = (q.Stats.CPUTime - o.Stats.CPUTime).Seconds() / dt
			r.Hogs = q.Stats.CPUHog - o.Stats.CPUHog
			r.Fails = float64(q.Stats.Failed-o.Stats.Failed) / dt
		}
		rows = append(rows, r)
	}
	return rows
}

// halted says how the queue was stopped, on purpose: paused, frozen, or "".
func (r *Row) halted() string {
	for _, how := range []string{"paused", "frozen"} {
		if slices.Contains(r.Flags, how) {
			return how
		}
	}
	return ""
}

// waiting is what of a share has not begun: who has a slot and no worker, and who
// has no slot.
func waiting(s *messages.ShareSnapshot) int {
	running := 0
	for _, f := range s.InFlight {
		if f.Func != "" {
			running++
		}
	}
	return max(0, s.Active-running) + s.Inactive
}

func match(name string, filters []*regexp.Regexp) bool {
	return len(filters) == 0 || slices.ContainsFunc(filters, func(r *regexp.Regexp) bool { return r.MatchString(name) })
}
