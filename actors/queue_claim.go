package actors

import "github.com/cmwq/cmwq/messages"

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
