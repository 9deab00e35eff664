package actors

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// claim sets PENDING and the place in one operation. It is a read-modify-write
// even when it fails, so that what the caller wrote before is seen by the
// execution that is pending. An item that runs is claimed at no place: which it
// goes to is not decided yet, and a place may touch what is at it.
func claim(it *messages.Item, at messages.Place, delayed messages.State) (messages.State, error) {
	for {
		s, to := it.State(), at
		if s&messages.Running != 0 && delayed == 0 {
			to = messages.NoPlace
		}
		switch {
		case s&messages.Pending != 0:
			if it.Swap(s, s) {
				return s, messages.ErrPending
			}
		case s.Depth() > 0:
			return s, messages.ErrDisabled
		case it.Swap(s, s.Queued(to)|delayed):
			return s, nil
		}
	}
}

// claimIdle does so for Modify, of an item that was idle in state s, with room in the
// queue. What may refuse the item does so before: others would be told meanwhile that it
// is pending, and take that for a promise. (The kernel looks at the disable depth once
// PENDING is set.)
func (q *Queue) claimIdle(s messages.State, d time.Duration, it *messages.Item, chained bool) (claimed bool, err error) {
	if s.Depth() > 0 {
		return false, messages.ErrDisabled
	}
	if err := q.shutFor(d, chained); err != nil {
		return false, err
	}
	b := q.bound
	if b == nil {
		return it.Swap(s, s.Queued(messages.NoPlace)), nil
	}
	b.claims.Add(1)
	if err := b.take(atOnce, q, false); err != nil {
		if b.claims.Add(-1) > 0 || it.State() != s {
			return false, nil // what fills the queue may be the item itself: look again
		}
		return false, err
	}
	if claimed = it.Swap(s, s.Queued(messages.NoPlace)); !claimed {
		b.give()
	}
	b.claims.Add(-1)
	return claimed, nil
}

// refusesAgain says why the queue does not take an item that the caller took while it
// was pending.
func (q *Queue) refusesAgain(d time.Duration, it *messages.Item, chained bool) error {
	if it.State().Depth() > 0 {
		return messages.ErrDisabled
	}
	return q.shutFor(d, chained)
}

// shutFor says why the queue takes nothing of the caller that is due after d.
func (q *Queue) shutFor(d time.Duration, chained bool) error {
	if fl := q.flags.Load(); fl != 0 && (d > 0 || !chained || fl&finished != 0) {
		return why(fl)
	}
	return nil
}
