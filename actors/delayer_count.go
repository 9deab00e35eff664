package actors

import "github.com/cmwq/cmwq/messages"

// A queue's armed items are counted where they are listed: by the delayer alone. The
// timer of a series is none.

// list arms an item.
func (d *delayer) list(it *messages.Item) {
	d.heap.push(it)
	it.List = messages.OnHeap
	countArmed(it, 1)
}

// take takes off the item at i.
func (d *delayer) take(i int) *messages.Item {
	it := d.heap.remove(i)
	it.List = messages.Unlisted
	countArmed(it, -1)
	return it
}

// forgets takes off an item that waits for others.
func (d *delayer) forgets(dep *dependent) {
	delete(d.after, dep.item)
	dep.queue.gets().delayed.Add(-1)
}

func countArmed(it *messages.Item, n int64) {
	if _, ok := seriesOf(it); !ok {
		queueOf(it).gets().delayed.Add(n)
	}
}

// countCancelled counts an item that an ask took back.
func (q *Queue) countCancelled(a *ask) {
	if !a.fails {
		q.gets().cancelled.Add(1)
	}
}
