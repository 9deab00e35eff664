package actors

import "github.com/cmwq/cmwq/messages"

// While the delayer rests, who asks it has its turn, and needs no message. What is asked
// most, and of plain items, needs no ask either: that is what later and cancel are for,
// which say whether they could do it.

// at answers an ask on the asker's goroutine; false if the delayer does not rest.
func (d *delayer) at(a *ask) (v verdict, answered bool) {
	if !d.mb.enter() {
		return gone, false
	}
	defer d.mb.leave()
	defer d.mb.caught()
	answered = true
	v = d.answer(a)
	d.settles(a.what == askFlush) // it may have lost an item
	return v, answered
}

// later moves an armed item to a time that is not before its own. The heap need not be
// looked at: its entry has its turn at the old time, at the latest.
func (d *delayer) later(it *messages.Item, when int64, cpu uint16, f func(*messages.Context) error, home *messages.Home) (moved bool) {
	if !d.mb.enter() {
		return false
	}
	if d.plain(it) && it.When <= when && it.Home == home {
		it.When, it.CPU, it.Func = when, cpu, f
		moved = true
	}
	d.mb.leave()
	return moved
}

// cancel takes an armed item off. fails says that it counts as failed.
func (d *delayer) cancel(it *messages.Item, fails bool) (cancelled bool) {
	if !d.mb.enter() {
		return false
	}
	if d.plain(it) && len(d.waits) == 0 {
		q := queueOf(it)
		d.withdraw(int(it.Epoch))
		q.bound.give()
		if !fails {
			q.gets().cancelled.Add(1)
		}
		d.sys.obs.withdrawn(it)
		idleItem(it)
		cancelled = true
	}
	d.mb.leave()
	return cancelled
}

// plain says that the item is on the heap, that it is nobody else's meanwhile, and that
// nothing hangs on it: it is no timer of a series, and was not tried before.
func (d *delayer) plain(it *messages.Item) bool {
	s := it.State()
	return s&messages.Delayed != 0 && s.Place() == d.id && it.List == messages.OnHeap && !it.Extended()
}
