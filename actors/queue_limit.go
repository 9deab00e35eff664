package actors

import (
	"github.com/cmwq/cmwq/messages"
)

// stamp notes when an item comes to a queue that limits how long it may wait, and tells
// observers of it, or is measured. One that was armed comes when it is due: see came. The item is its
// caller's, and goes to a share on a CPU that was asked for. Of a flood that is measured most
// items need nothing.
func (q *Queue) stamp(s *share, cpu int, it *messages.Item) {
	if q.notes && it.When != q.skip.Load() {
		q.note(s, cpu, it)
	}
}

func (q *Queue) note(s *share, cpu int, it *messages.Item) {
	if q.samples {
		q.sample(it)
		return
	}
	now := q.sys.now()
	it.When = int64(now)
	q.came(s, cpu, it, now)
}
