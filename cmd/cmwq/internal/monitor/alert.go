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
}

// How bad something is: nothing goes on, somebody holds others up, work is lost.
const (
	Failing = iota + 1
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
		r := &rows[i]
		if r.Fails > 0 {
			as = append(as, Alert{Failing, fmt.Sprintf("queue %s fails: %s items a second", client.CleanLine(r.Name), Rate(r.Fails)), r.Name})
		}
		for _, s := range r.Shares {
			for _, f := range s.InFlight {
				if f.State == "hog" && s.Pool != "" && !hungPool(now, s.Pool) {
					as = append(as, Alert{Hogging, fmt.Sprintf("queue %s: %s has had the CPU for %s", client.CleanLine(r.Name), ShortFunc(f.Func), Span(f.For)), r.Name})
				}
			}
		}
	}
	slices.SortStableFunc(as, func(a, b Alert) int { return cmp.Compare(b.Severity, a.Severity) })
	return as
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
	are := "items wait"
	if p.Waiting == 1 {
		are = "item waits"
	}
	a.Text = fmt.Sprintf("pool %s is stuck: %d %s, nothing began for %s", client.CleanLine(p.Name), p.Waiting, are, Span(p.Hung.Round(time.Second)))
	if oldest.Func != "" {
		a.Text += fmt.Sprintf("; %s is in %s, %s", client.CleanLine(oldest.Worker), ShortFunc(oldest.Func), client.CleanLine(oldest.State))
	}
	return a
}

// ShortFunc is a function's name without the path of its package.
func ShortFunc(name string) string {
	return client.CleanLine(name[strings.LastIndexByte(name, '/')+1:])
}
