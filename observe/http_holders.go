package observe

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// curious is how long an item must run before it is asked where it is.
const curious = 200 * time.Millisecond

// wonders says whether anything runs that one would want to know more of. Work that
// sleeps, and says so, is none.
func (s *sample) wonders() bool {
	for i := range s.snap.Queues {
		for j := range s.snap.Queues[i].Shares {
			sh := &s.snap.Queues[i].Shares[j]
			for k := range sh.InFlight {
				e := &sh.InFlight[k]
				if e.For >= curious && (e.State != "sleeping" || sh.Inactive > 0) {
					return true
				}
			}
		}
	}
	return false
}

// learn keeps where items are: those that were there when somebody looked.
func (s *sample) learn(d *cmwq.Diagnosis) {
	s.where = make(map[string]*cmwq.Where, len(d.Items))
	for i := range d.Items {
		if it := &d.Items[i]; it.Where != nil {
			s.where[it.Worker] = it.Where
		}
	}
}

// poolsByName are the pools of a snapshot, with what runs on each, the longest first.
type poolsByName map[string]*poolHeld

type poolHeld struct {
	*cmwq.PoolSnapshot
	by []holder
}

// holder is an execution, and whose it is.
type holder struct {
	queue string
	*cmwq.InFlight
	where *cmwq.Where // nil: not known
}

func (s *sample) poolsOf() poolsByName {
	snap := s.snap
	m := make(poolsByName, len(snap.Pools))
	for i := range snap.Pools {
		p := &snap.Pools[i]
		m[p.Name] = &poolHeld{PoolSnapshot: p}
	}
	for i := range snap.Queues {
		q := &snap.Queues[i]
		for j := range q.Shares {
			sh := &q.Shares[j]
			for k := range sh.InFlight {
				if p := m[sh.Pool]; p != nil {
					p.by = append(p.by, s.holder(q, &sh.InFlight[k]))
				}
			}
		}
	}
	for _, p := range m {
		longestFirst(p.by)
	}
	return m
}

// executions are what runs of a queue, the longest first.
func (s *sample) executions(q *cmwq.QueueSnapshot) (l []holder) {
	for i := range q.Shares {
		for k := range q.Shares[i].InFlight {
			l = append(l, s.holder(q, &q.Shares[i].InFlight[k]))
		}
	}
	longestFirst(l)
	return l
}

// blocked says whether it was seen to be.
func (h holder) blocked() bool { return h.where != nil && h.where.Blocked() }

// whereText is what is known of where it is; "" if nothing.
func (h holder) whereText() string {
	if h.where == nil {
		return ""
	}
	return shown(h.where.State) + " at " + shown(fmt.Sprintf("%s:%d", filepath.Base(h.where.File), h.where.Line))
}

// at is where it was seen, in a sentence.
func (h holder) at() string {
	if h.where == nil {
		return ""
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(h.where.File), h.where.Line)
	if h.where.Blocked() {
		return ": " + shown(h.where.State) + " at " + shown(at)
	}
	return ", now at " + shown(at)
}

func (s *sample) holder(q *cmwq.QueueSnapshot, e *cmwq.InFlight) holder {
	return holder{q.Name, e, s.where[e.Worker]}
}

func longestFirst(l []holder) {
	slices.SortStableFunc(l, func(a, b holder) int { return cmp.Compare(b.For, a.For) })
}
