package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/messages"
)

const (
	quietAfter = 10 * time.Millisecond  // an item may be blocked for without a word, as long as it may have a CPU
	hogAfter   = 200 * time.Millisecond // an item may have the CPU for, whether anybody waits or not
	long       = 20 * time.Millisecond  // items may have their worker for, on the average
	lingers    = 10 * time.Second       // a queue is told of after its last long item
)

// declared is the state of an item that sleeps and said so.
const declared = "sleeping"

// Seen is what the items of queues were seen to do last, by name of the queue.
type Seen map[string]sight

type sight struct {
	severity int             // Silent or Hogging; 0: none was met
	where    *messages.Where // one was seen, nil if none was
	began    time.Time       // when an item of it began last, as far as it was seen
}

// Find gives the alerts, with what is known of where items are. The numbers alone take an
// item that blocks without a word for a hog, and see no hog that nobody waits behind.
func Find(now *messages.Snapshot, rows []Row, items []messages.Diagnosed, seen Seen) []Alert {
	alerts := Alerts(now, rows)
	seen.recall(now.Hogs)
	managed := make(map[string]bool, len(rows))
	for i := range rows {
		managed[rows[i].Name] = rows[i].managed()
	}
	for i := range items {
		if d := &items[i]; d.Where != nil && managed[d.Queue] {
			alerts = meet(alerts, d, seen)
		}
	}
	for i := range rows {
		if r := &rows[i]; managed[r.Name] {
			alerts = average(alerts, r, now.At, seen)
		}
	}
	slices.SortStableFunc(alerts, func(a, b Alert) int { return cmp.Compare(b.Severity, a.Severity) })
	return alerts
}

// managed says whether long items of the queue hold up others.
func (r *Row) managed() bool { return !r.Unbound() && !slices.Contains(r.Flags, "cpu_intensive") }

// Wonders says whether anything runs for so long that one would want to know where it is.
func Wonders(rows []Row) bool {
	for i := range rows {
		for j := range rows[i].Shares {
			if slices.ContainsFunc(rows[i].Shares[j].InFlight, func(f messages.InFlight) bool {
				return rows[i].managed() && f.State != declared && f.For >= hogAfter
			}) {
				return true
			}
		}
	}
	return false
}

// meet says what an item does, in place of what its queue's numbers made of it.
func meet(alerts []Alert, d *messages.Diagnosed, seen Seen) []Alert {
	a := Alert{Queue: d.Queue, Worker: d.Worker, Text: "queue " + client.CleanLine(d.Queue) + ": " + ShortFunc(d.Func)}
	switch {
	case d.State == declared:
		return alerts
	case d.Where.Blocked() && d.For >= quietAfter:
		a.Severity = Silent
		a.Text += " blocks without a word"
	case !d.Where.Blocked() && d.For >= hogAfter:
		a.Severity = Hogging
		a.Text += " has had the CPU for " + Span(d.For)
	default:
		return alerts
	}
	seen[d.Queue] = sight{a.Severity, d.Where, seen[d.Queue].began}
	if slices.ContainsFunc(alerts, func(b Alert) bool { return b.Queue == a.Queue && b.Worker == a.Worker && b.Severity == a.Severity }) {
		return alerts // the pool has found out by itself
	}
	return append(slices.DeleteFunc(alerts, func(b Alert) bool { return b.Queue == a.Queue && aboutOne(b) }), a)
}

func aboutOne(a Alert) bool { return a.Severity == Silent || a.Severity == Hogging }

// recall takes what the program reported itself, of queues of which nothing was met.
func (seen Seen) recall(hogs []messages.Hog) {
	for i := range hogs {
		h := &hogs[i]
		was := seen[h.Queue]
		if h.Where == nil || was.severity != 0 {
			continue
		}
		was.severity, was.where = Hogging, h.Where
		if h.Where.Blocked() {
			was.severity = Silent
		}
		seen[h.Queue] = was
	}
}

// average looks at numbers, for items that nobody met. What such items do is as one of
// them was seen last.
func average(alerts []Alert, r *Row, now time.Time, seen Seen) []Alert {
	was := seen[r.Name]
	if r.Rate != 0 || r.Stats.InFlight > 0 {
		was.began = now
	}
	seen[r.Name] = was
	each := time.Duration(0)
	if r.Stats.Total >= 3 {
		each = r.Stats.CPUTime / time.Duration(r.Stats.Total)
	}
	met := slices.ContainsFunc(alerts, func(a Alert) bool { return a.Queue == r.Name && aboutOne(a) && a.Worker != "" })
	if met || each < long || now.Sub(was.began) > lingers {
		return alerts
	}
	does := map[int]string{
		0: "; whether they compute or block is seen while one runs", Silent: ", and block without a word", Hogging: ", and compute",
	}[was.severity]
	if was.where != nil {
		does += "; one was seen " + Place(was.where)
	}
	alerts = slices.DeleteFunc(alerts, func(a Alert) bool { return a.Queue == r.Name && aboutOne(a) })
	return append(alerts, Alert{
		Severity: cmp.Or(was.severity, Hogging), Queue: r.Name, Unmet: was.severity == 0,
		Text: fmt.Sprintf("queue %s: items have their worker for %s each%s", client.CleanLine(r.Name), Span(each), does),
	})
}

// Failed says which queues have failed items since they were made, the most first: for
// who has one snapshot, and no rate.
func Failed(rows []Row) (as []Alert) {
	const most = 5
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Stats.Failed == 0 && r.Stats.Retried == 0 })
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Stats.Failed, a.Stats.Failed), cmp.Compare(b.Stats.Retried, a.Stats.Retried))
	})
	for i := range rows {
		s := &rows[i].Stats
		if i == most {
			return append(as, Alert{Severity: Failing, Text: fmt.Sprintf("%d more queues have failed items", len(rows)-most)})
		}
		as = append(as, Alert{
			Severity: Failing, Queue: rows[i].Name,
			Text: fmt.Sprintf("queue %s: %s of %s items failed for good so far, %s are dead letters; %s failures were tried again%s",
				client.CleanLine(rows[i].Name), Count(s.Failed), Count(s.Total), Count(s.DeadLettered), Count(s.Retried), rows[i].lately()),
		})
	}
	return as
}
