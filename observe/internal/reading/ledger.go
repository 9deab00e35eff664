package reading

import (
	"slices"
	"strings"
	"time"

	"github.com/cmwq/cmwq"
)

// ledger keeps what counters were, so that those of a sum do not fall when one of its
// queues ends: who reads them would take that for a new beginning, and what is left for
// an increase. A name is forgotten with its last queue.
type ledger struct {
	queues map[string]*seen // by the queue's own name
	sums   map[string]*sum  // by the name that it is told by
	turn   uint64           // to know those that were not seen in it
	at     time.Time        // of the last snapshot, or when the system began
}

// seen is what a queue had counted when it was seen last.
type seen struct {
	turn      uint64
	counts    Counts
	wait, run seenTimes
}

// sum is what queues have counted that have one name, ended ones among them.
type sum struct {
	turn      uint64
	since     time.Time // nothing was counted before
	counts    Counts
	wait, run Histogram
	now       Queue
}

// take gives the sums with what the snapshot has in addition. alone: the last one was there
// before this one was begun.
//
// Of two that overlap neither is the older one: a pool may have answered either first. A
// number that is lower is then not that of another queue, and a queue that is new or gone
// may be gone or new. So what such a one has in addition is taken, and the rest left to
// the next that is alone.
func (l *ledger) take(snap *cmwq.Snapshot, name func(q *cmwq.QueueSnapshot) string, alone bool) *Reading {
	if l.queues == nil {
		l.queues, l.sums, l.at = map[string]*seen{}, map[string]*sum{}, snap.At.Add(-snap.Uptime)
	}
	l.turn++
	for i := range snap.Queues {
		q := &snap.Queues[i]
		if name := name(q); name != "" {
			l.add(q, strings.ToValidUTF8(name, "\uFFFD"), alone, succeeded(snap.Queues, i))
		}
	}
	r := &Reading{At: snap.At, Queues: make([]Queue, 0, len(l.sums)), Pools: poolsOf(snap)}
	for name, s := range l.sums {
		if s.turn != l.turn {
			if alone {
				delete(l.sums, name)
			}
			continue
		}
		s.now.Name, s.now.Since, s.now.Counts, s.now.Wait, s.now.Run = name, s.since, s.counts, s.wait.clone(), s.run.clone()
		r.Queues = append(r.Queues, s.now)
	}
	for name, s := range l.queues {
		if alone && s.turn != l.turn {
			delete(l.queues, name)
		}
	}
	l.at = snap.At
	slices.SortFunc(r.Queues, func(a, b Queue) int { return strings.Compare(a.Name, b.Name) })
	return r
}

// succeeded says whether a queue that ends has a successor of its name beside it. Queues come by
// name. Only one of a name can be told from what it was before: its numbers grow on.
func succeeded(all []cmwq.QueueSnapshot, i int) bool {
	if !slices.Contains(all[i].Flags, "destroyed") {
		return false
	}
	is := func(j int) bool { return j >= 0 && j < len(all) && all[j].Name == all[i].Name }
	if is(i + 1) {
		return true // of several that end the last will do
	}
	for j := i - 1; is(j); j-- {
		if !slices.Contains(all[j].Flags, "destroyed") {
			return true
		}
	}
	return false
}

// add adds what a queue is now, and what it has counted since, unless another of its name
// counts.
func (l *ledger) add(q *cmwq.QueueSnapshot, name string, alone, replaced bool) {
	s := l.sums[name]
	if s == nil {
		if !alone {
			return // it may be gone: it is not to be told once more, as 0
		}
		s = &sum{since: l.at}
		l.sums[name] = s
	}
	if s.turn != l.turn {
		s.turn, s.now = l.turn, Queue{}
	}
	s.now.now(q)
	if replaced {
		return
	}
	had := l.queues[q.Name]
	switch {
	case !alone:
		if had != nil {
			s.counts.grow(&had.counts, countsOf(&q.Stats))
		}
		return
	case had == nil || q.Stats.Total < had.counts[Started]: // another one of the same name
		had = &seen{}
		l.queues[q.Name] = had
	}
	had.turn = l.turn
	s.counts.grow(&had.counts, countsOf(&q.Stats))
	s.wait.grow(&had.wait, &q.Wait)
	s.run.grow(&had.run, &q.Run)
}
