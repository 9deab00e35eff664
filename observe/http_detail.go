package observe

import (
	"slices"
	"strings"

	"github.com/cmwq/cmwq"
)

// detail is what one queue has and does, of each list the first twenty.
type detail struct {
	Queue    string       `json:"queue"`
	Row      row          `json:"row"`
	InFlight []workerView `json:"in_flight"`
	Pending  []runView    `json:"pending"`
	Held     []runView    `json:"held"`
	Cut      int          `json:"cut"` // what is not told, of all three
}

// runView is a number of items in a row that call the same function.
type runView struct {
	Func    string `json:"func"`
	N       int    `json:"n"`
	Waiters int    `json:"waiters,omitempty"`
	Pool    string `json:"pool"`
}

const maxDetails = 20

// detail gives a queue's; nil if there is none of that key.
func (s *sample) detail(key string) *detail {
	if key == "" {
		return nil
	}
	name := nameOf(s.snap, key)
	i, ok := slices.BinarySearchFunc(s.snap.Queues, name, func(q cmwq.QueueSnapshot, name string) int {
		return strings.Compare(q.Name, name)
	})
	if !ok {
		return nil
	}
	q := s.q(i)
	d := &detail{Queue: key, Row: s.rowOf(i), InFlight: []workerView{}, Pending: []runView{}, Held: []runView{}}
	for k, h := range s.executions(q) {
		if k < maxDetails {
			d.InFlight = append(d.InFlight, workerOf(h))
		} else {
			d.Cut++
		}
	}
	for j := range q.Shares {
		sh := &q.Shares[j]
		d.Pending = d.runs(d.Pending, sh.Pending, sh.Pool)
		d.Held = d.runs(d.Held, sh.Held, sh.Pool)
		for k := range sh.InFlight {
			d.Pending = d.runs(d.Pending, sh.InFlight[k].Scheduled, sh.Pool)
		}
	}
	return d
}

func (d *detail) runs(to []runView, runs []cmwq.Run, pool string) []runView {
	for _, r := range runs {
		if len(to) < maxDetails {
			to = append(to, runView{shortFunc(r.Func), r.N, r.Waiters, pool})
		} else {
			d.Cut++
		}
	}
	return to
}
