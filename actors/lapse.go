package actors

import "github.com/cmwq/cmwq/messages"

// Lapse takes an item that has not begun off the queue, as failed with err, and says
// whether it did. Nobody but the caller may queue the item.
func (q *Queue) Lapse(it *messages.Item, err error) bool {
	if !cancel(it, true) {
		return false
	}
	q.gets().lapsed.Add(1)
	if _, ok := err.(*messages.TimeoutError); ok { //nolint:errorlint // it is not wrapped
		q.gets().waitedOut.Add(1)
	}
	q.expired(it, err)
	q.tellFailed(&messages.Failed{Err: err})
	return true
}
