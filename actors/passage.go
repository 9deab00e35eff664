package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// passage is an item that a pool passed on and still counts as unfinished: the
// table may have changed meanwhile, and the pool that the item went to may have to
// pass it on itself. The pool asks those that left, without waiting, until the item
// is where the present table says: one after the other, in the order in which they
// left, since each may have passed it on to the next.
type passage struct {
	share *share
	epoch uint32
	table *table  // the item is with a share of this table, or a newer one
	left  []*pool // to be asked
}

// echo is posted to a pool behind the item, and comes back when it was read.
type echo struct {
	*passage
	back bool
}

// leftOf gives the shares of t that are not in the table now.
func (t *table) leftOf(now *table) (left []*share) {
	for _, s := range t.shares {
		if !slices.Contains(now.shares, s) {
			left = append(left, s)
		}
	}
	for _, s := range t.old {
		if !slices.Contains(now.old, s) {
			left = append(left, s)
		}
	}
	for _, s := range t.private() {
		if !slices.Contains(now.private(), s) {
			left = append(left, s)
		}
	}
	return left
}

// settlePassage ends a passage, or asks once more.
func (p *pool) settlePassage(m *passage) {
	s := m.share
	for {
		for len(m.left) > 0 {
			x := m.left[0]
			m.left = m.left[1:]
			if _, ok := x.mb.post(&messages.NewControl(&echo{m, false}).Item); ok {
				return
			}
		}
		now := s.queue.table.Load()
		if now == m.table {
			break
		}
		m.left = m.table.leftUntil(now, s) // which passed the item on just now
		m.table = now
	}
	if e, empty := s.pol.Epoch.Finish(m.epoch, 1); empty {
		p.emptied(s, e)
	}
}

// echo answers for this pool, or takes an answer.
func (p *pool) echo(m *echo) {
	if !m.back {
		m.share.pool.mb.post(&messages.NewControl(&echo{m.passage, true}).Item)
		return
	}
	p.settlePassage(m.passage)
}
