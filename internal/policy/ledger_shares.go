package policy

import "slices"

// ledged is what a share may get of a ledger's slots.
type ledged uint8

const (
	absent   ledged = iota // no such share
	lends                  // slots, asked for or not
	retiring               // what it asks for: it gets no new items, and ends when it is empty
	plugged                // none until it is unplugged: an older share of an ordered queue has items
)

// know makes room for a share's number.
func (l *Ledger) know(share int, r ledged) {
	for len(l.held) <= share {
		l.held, l.asked = append(l.held, 0), append(l.asked, 0)
		l.wants, l.role, l.busy = append(l.wants, 0), append(l.role, absent), append(l.busy, false)
		l.heard, l.seen = append(l.heard, 0), append(l.seen, 0)
	}
	l.role[share] = r
}

// Add brings a share in. It holds nothing at first, and gets what nobody holds;
// plug says that it gets nothing at all until Unplug.
//
// Follows the kernel's new pool_workqueue, plugged if the queue is ordered.
func (l *Ledger) Add(share int, plug bool) []Order {
	l.know(share, lends)
	if plug {
		l.role[share] = plugged
	}
	l.settle()
	return l.spread()
}

// Outside brings in a share that has slots of its own: none of the ledger's.
func (l *Ledger) Outside(share int) { l.know(share, absent) }

// Unplug lets a share have slots: no older share of its queue has items.
//
// Follows the kernel's unplug_oldest_pwq.
func (l *Ledger) Unplug(share int) []Order {
	if share >= len(l.role) || l.role[share] != plugged { // a ledger that was made later knows none from outside
		return nil
	}
	l.role[share] = lends
	if l.wants[share] > 0 {
		l.queue = append(l.queue, share)
	}
	l.settle()
	return l.spread()
}

// Retire ends unasked lending to a share that gets no new items. It still gets
// what it asks for, in turn, so that what it has runs; it returns the rest. A
// plugged one stays plugged.
func (l *Ledger) Retire(share int) {
	if l.role[share] == lends {
		l.role[share] = retiring
	}
}

// Remove takes a share out that has no items; what it held is lent to others.
func (l *Ledger) Remove(share int) []Order {
	l.free += l.held[share]
	l.held[share], l.asked[share], l.heard[share], l.seen[share] = 0, 0, 0, 0
	l.role[share], l.busy[share] = absent, false
	l.forget(share)
	l.settle()
	return l.spread()
}

// forget: the share waits for no slot.
func (l *Ledger) forget(share int) {
	l.wants[share] = 0
	l.queue = slices.DeleteFunc(l.queue, func(s int) bool { return s == share })
}

// spread lends what nobody holds and nobody waits for to the shares that hold
// the least.
func (l *Ledger) spread() []Order {
	for l.free > 0 && len(l.queue) == 0 {
		poorest, n := -1, 0
		for i, r := range l.role {
			if r != lends {
				continue
			}
			if n++; poorest < 0 || l.held[i] < l.held[poorest] {
				poorest = i
			}
		}
		if poorest < 0 {
			break
		}
		l.lend(poorest, (l.free+n-1)/n)
	}
	return l.orders
}
