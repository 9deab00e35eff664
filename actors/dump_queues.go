package actors

import (
	"slices"
	"strings"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// tally gathers what pools tell of queues' shares.
type tally struct {
	view   policy.View
	queues []*Queue // by name, but for those that were found later
	all    []entry
	more   int // found later
}

type entry struct {
	sum    messages.ShareStats // of its shares that have answered, and its own
	table  *table
	shares []messages.ShareSnapshot
	times  *times
	nodes  map[int]int // active items by node, of a queue with MinActive
}

// tally begins with the numbers that queues have themselves: an item that they say has
// failed is one that a pool, asked later, says has begun.
func (l *listed) tally() *tally {
	all := make([]entry, len(l.queues))
	for i, q := range l.queues {
		all[i].sum = q.ownStats()
	}
	return &tally{view: l.view, queues: slices.Clip(l.queues), all: all}
}

// of gives a queue's. One that has ended, and still has items, is told of, too.
func (l *tally) of(q *Queue) *entry {
	if i := int(q.seat.Load()); i < len(l.queues) && l.queues[i] == q {
		return &l.all[i]
	}
	i := slices.Index(l.queues, q)
	if i < 0 {
		i = len(l.queues)
		l.queues, l.all = append(l.queues, q), append(l.all, entry{sum: q.ownStats()})
		l.more++
	}
	return &l.all[i]
}

// add adds a pool's answer. The numbers of a share that left its queue's table in the
// meantime are among those that the table has of shares that are gone: the table is
// read after the answer, so that they are there once.
func (l *tally) add(a *poolAnswer) {
	for i := range a.shares {
		s := &a.shares[i]
		q := s.share.queue
		k := l.of(q)
		if k.table == nil {
			k.table = q.table.Load()
		}
		if s.at >= 0 {
			k.shares = append(k.shares, a.Shares[s.at])
			if d := q.has().division.Load(); d != nil && d.Divided() {
				k.onNode(a.pool.node, s.active)
			}
		}
		if k.table.has(s.share) {
			s.addTo(&k.sum)
			k.times = k.times.with(s.times)
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

// done gives the queues by name.
func (l *tally) done() []messages.QueueSnapshot {
	out := make([]messages.QueueSnapshot, 0, len(l.queues))
	var tell teller
	for i, q := range l.queues {
		k := &l.all[i]
		if len(k.shares) == 0 && q.flags.Load()&finished != 0 {
			continue // it has ended since they were listed, and its pools forget it
		}
		out = append(out, messages.QueueSnapshot{})
		k.fill(q, &out[len(out)-1], &tell)
		k.place(q, l.view, &out[len(out)-1].Placing)
	}
	if l.more > 0 {
		slices.SortStableFunc(out, func(a, b messages.QueueSnapshot) int { return strings.Compare(a.Name, b.Name) })
	}
	return out
}

func (k *entry) fill(q *Queue, st *messages.QueueSnapshot, tell *teller) {
	if k.table == nil {
		k.table = q.table.Load()
	}
	if past := k.table.past; past != nil {
		add(&k.sum, past.ShareStats)
		k.times = k.times.with(past.times)
	}
	k.sum.Dropped = q.has().dropped.Load()
	k.sum.MaxActive = q.allActive(k.table)
	st.Name, st.Kind, st.Flags, st.Shares = q.name, q.opts.Kind.String(), q.words(), k.shares
	st.Child, st.Stats, st.LastFailure = q.child, k.sum.Stats(), q.lastFailure()
	if t := k.times; t != nil {
		st.Wait, st.Run = tell.tell(&t.wait), tell.tell(&t.run)
	}
}

// allActive is max_active of all the queue's pools together, whoever holds the slots.
func (q *Queue) allActive(t *table) int {
	if l := q.has().division.Load(); l != nil {
		return l.All() + len(t.private())
	}
	if q.opts.Kind == BH {
		return 0
	}
	return len(t.shares)*q.maxActive() + len(t.private())
}
