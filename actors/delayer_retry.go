package actors

import "github.com/cmwq/cmwq/messages"

// What the queue's actor says of an item that failed and is armed meanwhile. The
// item's Tries say whether it still is: only the delayer takes it off before.
type (
	// retryItem makes it due.
	retryItem struct {
		item  *messages.Item
		tries *messages.Tries
		due   int64 // 0: now
	}
	// releaseItem leaves it idle: it was given up.
	releaseItem struct {
		item  *messages.Item
		tries *messages.Tries
	}
	// settle asks for a turn: what was told of items before it is done by then.
	settle struct{ done chan<- struct{} }
)

// settle waits until items that were given up before are idle.
func (s *System) settle() {
	done := make(chan struct{}, 1)
	if _, ok := s.delayer.mb.post(&messages.NewControl(&settle{done}).Item); ok {
		<-done
	}
}

// retry makes an item due that failed, or queues it.
func (d *delayer) retry(m *retryItem) {
	if !m.tries.Decide() {
		return // it was cancelled, or its queue has ended
	}
	queueOf(m.item).sup.retried.Add(1)
	i := int(m.item.Epoch)
	if m.due == 0 {
		it := d.take(i)
		it.When = d.sys.nanos() // it has not waited before
		d.forward(it)
		return
	}
	d.move(i, m.due)
}

// release ends an item that was given up.
func (d *delayer) release(m *releaseItem) {
	if m.tries.Release() {
		releaseAll(d.waits.take(m.item), nil, m.tries.Last)
		d.withdraw(int(m.item.Epoch))
		queueOf(m.item).bound.give()
		m.item.Tried(nil)
		idleItem(m.item)
	}
}

// letGo takes an item off its strategy for an ask, if that may have it: who asks gets
// it as any armed item, and it begins anew. The failure was not its end.
func letGo(it *messages.Item, a *ask) bool {
	t := it.Tries()
	switch {
	case t == nil || a.what == askAfter:
		return true
	case a.what == askFlush:
		return !t.Waits() && !t.GivenUp() // decided in a moment
	case t.Decide():
		queueOf(it).sup.retried.Add(1)
	case t.GivenUp():
		return false // idle in a moment
	}
	t.End(messages.ErrCancelled)
	it.Tried(nil)
	if a.what == askModify {
		a.what = askGrab
	}
	return true
}

// lose is the end of an item that was to be run again, or whose failure was not
// decided yet: its queue or system ends. It gives the error that says so; false if the
// item was given up before, and has nothing to be told of.
func (q *Queue) lose(it *messages.Item, why error) (error, bool) {
	t := it.Tries()
	if t == nil {
		return why, true
	}
	if t.Decide() {
		q.sup.retried.Add(1)
	}
	it.Tried(nil)
	if t.Release() {
		return nil, false
	}
	if t.Count == 0 {
		return why, true // of a series
	}
	err := &messages.RetryError{Attempts: t.Count, Last: t.Last, Cause: why}
	t.End(err)
	q.tellFailed(&messages.Failed{Item: it, Err: err})
	return err, true
}
