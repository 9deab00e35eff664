package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// passage is an item that a pool passed on, and counts as unfinished until the pool
// it went to has counted it: that one reads this message behind the item, and sends
// it back. It has counted the item, since no share that a pool may pass an item to is
// gone before every pool has had a turn: see grace.
type passage struct {
	share *share
	epoch uint32
	back  bool
}

// passCounted passes on an item that a flush epoch of the share counts. The report
// of the epoch will say that an item of it is elsewhere.
func (p *pool) passCounted(s *share, it *messages.Item, after []waiter) {
	m := &passage{share: s, epoch: it.Epoch}
	s.moved = max(s.moved, m.epoch+1)
	if to := p.pass(it, after); to != nil {
		if _, ok := to.pool.mb.post(&messages.NewControl(m).Item); ok {
			return
		}
	}
	p.passedOn(m) // it was dropped, or the system stops
}

// onPassage answers for this pool, or takes an answer.
func (p *pool) onPassage(m *passage) {
	if m.back {
		p.passedOn(m)
		return
	}
	m.share.pool.mb.post(&messages.NewControl(&passage{m.share, m.epoch, true}).Item)
}

func (p *pool) passedOn(m *passage) {
	if e, empty := m.share.pol.Epoch.Finish(m.epoch, 1); empty {
		p.emptied(m.share, e)
	}
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

// leftUntil gives the pools of the shares that left from t on until now, in any of the
// tables between.
func (t *table) leftUntil(now *table) (pools []*pool) {
	for ; t != now; t = t.next {
		for _, s := range t.leftOf(t.next) {
			if !slices.Contains(pools, s.pool) {
				pools = append(pools, s.pool)
			}
		}
	}
	return pools
}
