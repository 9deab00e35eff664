package policy

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lentQueue is a queue whose slots are lent to shares, each in a pool of its own
// that starts whatever is active.
type lentQueue struct {
	l       *Ledger
	shares  []*lentShare
	ceiling int // the highest maximum that slots still out may stem from
}

type lentShare struct {
	*Share
	p        *Pool
	finished int
	toQueue  []func(*Ledger, int) []Order
	toShare  []Order
	gone     bool // it said so
}

func borrows(n int) func(*Ledger, int) []Order {
	return func(l *Ledger, i int) []Order { return l.Borrow(i, n) }
}

func returns(n int) func(*Ledger, int) []Order {
	return func(l *Ledger, i int) []Order { return l.Returned(i, n) }
}

func newLentQueue(limit, shares int) *lentQueue {
	q := &lentQueue{l: NewLedger(limit, shares), ceiling: limit}
	for i := range shares {
		q.shares = append(q.shares, &lentShare{Share: NewShare(q.l.Held(i), false), p: NewPool(Managed, 1, 1)})
	}
	return q
}

// add brings a share in while the others work.
func (q *lentQueue) add() {
	i := len(q.shares)
	q.shares = append(q.shares, &lentShare{Share: NewShare(0, false), p: NewPool(Managed, 1, 1)})
	q.send(q.l.Add(i, false))
}

// retire takes one out; it goes when it is empty. One stays.
func (q *lentQueue) retire(i int) {
	present := 0
	for _, s := range q.shares {
		if !s.Retired() {
			present++
		}
	}
	if s := q.shares[i]; present > 1 && !s.Retired() {
		q.l.Retire(i)
		s.Retire()
		q.settle(i)
	}
}

func (q *lentQueue) arrive(i, n int) {
	if q.shares[i].Retired() {
		return
	}
	q.shares[i].p.Arrive(q.shares[i].Share, n)
	q.settle(i)
}

// finish ends one active item, if there is one.
func (q *lentQueue) finish(i int) {
	if s := q.shares[i]; s.Active() > 0 {
		s.p.Withdraw(s.Share, true)
		s.finished++
		q.settle(i)
	}
}

func (q *lentQueue) settle(i int) {
	s := q.shares[i]
	if n := s.Surrender(); n > 0 {
		s.toQueue = append(s.toQueue, returns(n))
	}
	s.p.Activate(s.Share)
	if n, tell := s.Borrow(); tell {
		s.toQueue = append(s.toQueue, borrows(n))
	}
	if s.Retired() && s.Idle() && !s.gone {
		s.gone = true
		s.toQueue = append(s.toQueue, (*Ledger).Remove)
	}
}

// deliver hands over one message, and says whether there was one.
func (q *lentQueue) deliver(i int, toQueue bool) bool {
	s := q.shares[i]
	if toQueue {
		if len(s.toQueue) == 0 {
			return false
		}
		say := s.toQueue[0]
		s.toQueue = s.toQueue[1:]
		q.send(say(q.l, i))
		return true
	}
	if len(s.toShare) == 0 {
		return false
	}
	m := s.toShare[0]
	s.toShare = s.toShare[1:]
	if s.gone {
		return true
	}
	if m.Lend > 0 {
		s.Lend(m)
		q.settle(i)
	}
	if m.Recall > 0 {
		s.Recall(m)
		q.settle(i)
		if s.Owes() {
			s.toQueue = append(s.toQueue, returns(0))
		}
	}
	return true
}

func (q *lentQueue) send(orders []Order) {
	for _, o := range orders {
		q.shares[o.Share].toShare = append(q.shares[o.Share].toShare, o)
	}
}

func (q *lentQueue) setMax(n int) {
	q.ceiling = max(q.ceiling, n)
	q.send(q.l.SetMax(n))
}

func (q *lentQueue) deliverAll() {
	n := 0
	for again := true; again; n++ {
		if again = false; n > 10000 {
			panic("slots wander for ever")
		}
		for i := range q.shares {
			again = q.deliver(i, true) || again
			again = q.deliver(i, false) || again
		}
	}
}

// requireUsed: nothing waits while a slot is idle, though no item ends.
func (q *lentQueue) requireUsed(t *rapid.T) {
	q.deliverAll()
	active, inactive := 0, 0
	for _, s := range q.shares {
		active += s.Active()
		inactive += s.Inactive()
	}
	if inactive > 0 {
		require.GreaterOrEqual(t, active, q.l.Max(), "%d items wait", inactive)
	}
}

func (q *lentQueue) check(t *rapid.T) {
	held, kept, active := 0, 0, 0
	for i, s := range q.shares {
		held += q.l.Held(i)
		kept += q.l.Held(i) - q.l.asked[i]
		active += s.Active()
		require.GreaterOrEqual(t, q.l.Held(i), q.l.asked[i], "more is asked back than is held")
		require.NoError(t, s.p.verifyStep([]*Share{s.Share}).err)
		require.True(t, s.free() == 0 || s.Inactive() == 0)
	}
	require.Equal(t, q.l.Max(), held+q.l.free, "slots were lost or made")
	require.LessOrEqual(t, kept, q.l.Max(), "more is lent than there is")
	require.LessOrEqual(t, active, q.ceiling)
	if q.l.free >= 0 {
		q.ceiling = q.l.Max()
	}
}

// requireFair: where all have more to do than they may, each gets something done.
func (q *lentQueue) requireFair(t *rapid.T) {
	for i, s := range q.shares {
		q.arrive(i, 1000)
		s.finished = 0
	}
	for range 4 * (len(q.shares) + 8) {
		q.deliverAll()
		for i := range q.shares {
			q.finish(i)
		}
		q.check(t)
	}
	for i, s := range q.shares {
		require.True(t, s.finished > 0 || s.Retired(), "share %d got nothing, it holds %d of %d", i, q.l.Held(i), q.l.Max())
	}
}

// requireEnd: whatever a share has comes to its end, though the others want more.
func (q *lentQueue) requireEnd(t *rapid.T) {
	for range 8000 {
		q.deliverAll()
		left := 0
		for i, s := range q.shares {
			for range s.Active() {
				q.finish(i)
			}
			left += s.Active() + s.Inactive()
		}
		if left == 0 {
			return
		}
	}
	require.Fail(t, "some items never get a slot")
}
