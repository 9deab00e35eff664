package actors

import (
	"cmp"
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// queueLooks gather what pools tell of queues' shares.
type queueLooks struct {
	of  map[*Queue]*queueLook
	all []*queueLook
}

type queueLook struct {
	queue  *Queue
	sum    messages.ShareStats // of its shares that have answered, and its own
	table  *table
	shares []messages.ShareSnapshot
}

// queueLooks begins with the numbers that queues have themselves: an item that they
// say has failed is one that a pool, asked later, says has begun.
func (s *System) queueLooks() *queueLooks {
	l := &queueLooks{of: map[*Queue]*queueLook{}}
	for q := range s.eachQueue() {
		l.look(q)
	}
	return l
}

// look gives a queue's. One that has ended, and still has items, is told of, too.
func (l *queueLooks) look(q *Queue) *queueLook {
	k := l.of[q]
	if k == nil {
		k = &queueLook{queue: q, sum: q.ownStats()}
		l.of[q] = k
		l.all = append(l.all, k)
	}
	return k
}

// add adds a pool's answer. The numbers of a share that left its queue's table in the
// meantime are among those that the table has of shares that are gone: the table is
// read after the answer, so that they are there once.
func (l *queueLooks) add(a *poolAnswer) {
	for i := range a.shares {
		s := &a.shares[i]
		k := l.look(s.share.queue)
		if k.table == nil {
			k.table = k.queue.table.Load()
		}
		if s.at >= 0 {
			k.shares = append(k.shares, a.Shares[s.at])
		}
		if k.table.has(s.share) {
			add(&k.sum, s.stats)
		}
	}
}

// has says whether the share is in the table: its numbers are not among the past's.
func (t *table) has(s *share) bool {
	if at, err := t.on(s.cpu); err == nil && at == s {
		return true
	}
	return slices.Contains(t.shares, s) || slices.Contains(t.old, s) || slices.Contains(t.private(), s)
}

// snapshots gives the queues by name.
func (l *queueLooks) snapshots() []messages.QueueSnapshot {
	slices.SortFunc(l.all, func(a, b *queueLook) int {
		if c := cmp.Compare(a.queue.name, b.queue.name); c != 0 {
			return c
		}
		return cmp.Compare(a.queue.pid.Id, b.queue.pid.Id)
	})
	out := make([]messages.QueueSnapshot, len(l.all))
	for i, k := range l.all {
		k.fill(&out[i])
	}
	return out
}

func (k *queueLook) fill(st *messages.QueueSnapshot) {
	q := k.queue
	if k.table == nil {
		k.table = q.table.Load()
	}
	add(&k.sum, k.table.past)
	k.sum.Dropped = q.dropped.Load()
	k.sum.MaxActive = q.allActive(k.table)
	st.Name, st.Kind, st.Flags, st.Shares = q.name, q.opts.Kind.String(), q.words(), k.shares
	st.Stats = k.sum.Stats()
}

// allActive is max_active of all the queue's pools together, whoever holds the slots.
func (q *Queue) allActive(t *table) int {
	if l := q.division.Load(); l != nil {
		return l.All() + len(t.private())
	}
	if q.opts.Kind == BH {
		return 0
	}
	return len(t.shares)*int(q.max.Load()) + len(t.private())
}
