package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/messages"
)

// Alert is something that an operator wants to know first.
type Alert struct {
	Severity int // the more, the worse
	Text     string
	Queue    string // to look into, "" if there is none
	Worker   string // that is to blame, "" if there is none
	Unmet    bool   // only numbers tell of it: no item was seen at it
}

// How bad something is: work waits because somebody wanted it to, work is lost, somebody blocks without a word, somebody holds
// others up, nothing goes on.
const (
	Halted = iota + 1
	Failing
	Silent
	Hogging
	Stuck
)

// Alerts says what is wrong, the worst first. Rows are those of all queues.
func Alerts(now *messages.Snapshot, rows []Row) (as []Alert) {
	for i := range now.Pools {
		if p := &now.Pools[i]; p.Waiting > 0 && p.Hung >= StuckAfter {
			as = append(as, stuck(now, p))
		}
	}
	for i := range rows {
		as = append(as, ofQueue(now, &rows[i])...)
	}
	slices.SortStableFunc(as, func(a, b Alert) int { return cmp.Compare(b.Severity, a.Severity) })
	return as
}

// ofQueue says what is wrong with a queue, beside its pools: one alert of a kind.
func ofQueue(now *messages.Snapshot, r *Row) (as []Alert) {
	name := client.CleanLine(r.Name)
	add := func(severity int, worker, format string, a ...any) {
		as = append(as, Alert{Severity: severity, Text: "queue " + name + fmt.Sprintf(format, a...), Queue: r.Name, Worker: worker})
	}
	if how := r.halted(); how != "" && r.Waiting > 0 {
		add(Halted, "", " is %s: %s", how, itemsWait(r.Waiting))
	}
	if r.Fails > 0 {
		add(Failing, "", " fails: %s items a second%s", Rate(r.Fails), r.lately())
	}
	var hog, silent messages.InFlight
	for j := range r.Shares {
		s := &r.Shares[j]
		for _, f := range s.InFlight {
			switch {
			case f.State == "hog" && f.For > hog.For && !hungPool(now, s.Pool):
				hog = f
			case f.State == "assumed asleep" && f.For > silent.For:
				silent = f
			}
		}
		if f, held := heldUp(s); held && r.halted() == "" {
			add(Stuck, f.Worker, " is stuck: %s for %s; %s is in %s for %s, %s", itemsWait(s.Inactive), slots(s.MaxActive),
				client.CleanLine(f.Worker), ShortFunc(f.Func), Span(f.For), client.CleanLine(f.State))
		}
	}
	switch {
	case hog.Func != "":
		add(Hogging, hog.Worker, ": %s has had the CPU for %s", ShortFunc(hog.Func), Span(hog.For))
	case r.Hogs > 0:
		add(Hogging, "", " hogs: %d items had their CPU for too long", r.Hogs)
	}
	if silent.Func != "" {
		add(Silent, silent.Worker, ": %s blocks without a word, for %s", ShortFunc(silent.Func), Span(silent.For))
	}
	return as
}

// heldUp says whether items wait for slots that are all held by items which run for long, and
// gives the newest of those.
func heldUp(s *messages.ShareSnapshot) (newest messages.InFlight, held bool) {
	if s.Inactive == 0 || len(s.InFlight) == 0 || s.Active > len(s.InFlight) {
		return newest, false
	}
	newest = s.InFlight[0]
	for _, f := range s.InFlight {
		if f.For < newest.For {
			newest = f
		}
	}
	return newest, newest.For >= StuckAfter && newest.Func != ""
}

func hungPool(now *messages.Snapshot, name string) bool {
	i := slices.IndexFunc(now.Pools, func(p messages.PoolSnapshot) bool { return p.Name == name })
	return i >= 0 && now.Pools[i].Waiting > 0 && now.Pools[i].Hung >= StuckAfter
}

// stuck tells of a pool without progress, and of what has been on it for longest.
func stuck(now *messages.Snapshot, p *messages.PoolSnapshot) Alert {
	a := Alert{Severity: Stuck}
	var oldest messages.InFlight
	for i := range now.Queues {
		q := &now.Queues[i]
		for j := range q.Shares {
			s := &q.Shares[j]
			if s.Pool != p.Name {
				continue
			}
			if a.Queue == "" && waiting(s) > 0 {
				a.Queue = q.Name
			}
			for _, f := range s.InFlight {
				if f.Func != "" && f.For > oldest.For {
					oldest = f
				}
			}
		}
	}
	a.Text = fmt.Sprintf("pool %s is stuck: %s, nothing began for %s", client.CleanLine(p.Name), itemsWait(p.Waiting), Span(p.Hung.Round(time.Second)))
	if oldest.Func != "" {
		a.Worker = oldest.Worker
		a.Text += fmt.Sprintf("; %s is in %s, %s", client.CleanLine(oldest.Worker), ShortFunc(oldest.Func), client.CleanLine(oldest.State))
	}
	return a
}

func itemsWait(n int) string {
	if n == 1 {
		return "1 item waits"
	}
	return fmt.Sprintf("%d items wait", n)
}

func slots(n int) string {
	if n == 1 {
		return "the only slot"
	}
	return fmt.Sprintf("one of %d slots", n)
}

// lately is what one of the queue's failures said, for the end of a sentence.
func (r *Row) lately() string {
	if f := r.LastFailure; f != nil {
		return "; lately: " + client.CleanLine(f.Error)
	}
	return ""
}

// ShortFunc is a function's name without the path of its package.
func ShortFunc(name string) string {
	return client.CleanLine(name[strings.LastIndexByte(name, '/')+1:])
}
