package actors

import "github.com/cmwq/cmwq/messages"

// stamp notes when an item comes to a queue that limits how long it may wait. One that
// was armed comes when it is due.
func (q *Queue) stamp(it *messages.Item) {
	if q.opts.Limits.Wait > 0 {
		it.When = q.sys.nanos()
	}
}
