package actors

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Timers are armed to be cancelled or moved on, most of them: so both leave the heap as it
// is. An item that is moved to a later time stays where it is until that place has its
// turn, and then goes where it belongs. One that is cancelled leaves an entry of nobody's:
// they are swept out together when they are half of the heap, or as they come to its top.

// withdraw takes off the item at i before its time.
func (d *delayer) withdraw(i int) {
	it := d.heap.strike(i)
	it.List = messages.Unlisted
	countArmed(it, -1)
	if d.struck++; 2*d.struck > len(d.heap) {
		d.heap.sweep()
		d.struck = 0
	}
}

// move changes when the item at i is due.
func (d *delayer) move(i int, when int64) {
	d.heap[i].it.When = when
	if when < d.heap[i].when {
		d.heap.fix(i, when)
	}
}

// next takes off an item that is due, nil if there is none.
func (d *delayer) next(now time.Duration) *messages.Item {
	for len(d.heap) > 0 && d.heap[0].when <= int64(now) {
		switch it := d.heap[0].it; {
		case it == nil:
			d.heap.remove(0)
			d.struck--
		case it.When > int64(now):
			d.heap.fix(0, it.When) // it was moved
		default:
			return d.take(0)
		}
	}
	return nil
}

// early says that the timer is to be set to fire earlier.
func (d *delayer) early() bool {
	return len(d.heap) > 0 && (d.armed == 0 || d.heap[0].when < int64(d.armed))
}
