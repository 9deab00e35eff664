package actors

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// QueueAfter arms an item: it is pending, and is queued after d. A delay of 0 or
// less queues it at once.
func (q *Queue) QueueAfter(d time.Duration, cpu int, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if cpu != messages.AnyCPU {
		if _, err := q.table.Load().on(cpu); err != nil {
			return err
		}
	}
	if d <= 0 {
		if cpu != messages.AnyCPU {
			return q.QueueOn(cpu, it, f, chained)
		}
		return q.Queue(it, f, chained)
	}
	return q.armAfter(d, cpu, it, f, &q.home)
}

// armAfter arms an item, for the queue or for a key of it.
func (q *Queue) armAfter(d time.Duration, cpu int, it *messages.Item, f func(*messages.Context) error, home *messages.Home) error {
	if q.bound != nil {
		return q.within(atOnce, it, f, false, func() error { return q.armNow(d, cpu, it, f, home) })
	}
	return q.armNow(d, cpu, it, f, home)
}

// armNow is that, whatever waits.
func (q *Queue) armNow(d time.Duration, cpu int, it *messages.Item, f func(*messages.Context) error, home *messages.Home) error {
	if f == nil {
		return messages.ErrNoFunc
	}
	if fl := q.flags.Load(); fl != 0 {
		return why(fl)
	}
	if _, err := claim(it, q.sys.delayer.id, messages.Delayed); err != nil {
		return err
	}
	it.Func = f
	if err := q.arm(q.sys.due(d), cpu, it, home); err != nil {
		idleItem(it)
		return err
	}
	return nil
}

// at is the share for an item that is queued on a CPU, or on any.
func (q *Queue) at(cpu int) (*share, error) {
	t := q.table.Load()
	if cpu == messages.AnyCPU {
		return t.pick(), nil
	}
	return t.on(cpu)
}

// arm gives an item that the caller owns to the delayer.
func (q *Queue) arm(due int64, cpu int, it *messages.Item, home *messages.Home) error {
	return q.armWith(due, cpu, it, home, nil)
}

// armWith is that, for an item that others wait for.
func (q *Queue) armWith(due int64, cpu int, it *messages.Item, home *messages.Home, after []waiter) error {
	d := q.sys.delayer
	it.Home, it.CPU, it.When = home, uint16(cpu), due
	for s := it.State(); s != s.Armed(d.id) && !it.Swap(s, s.Armed(d.id)); s = it.State() {
	}
	node := it
	if len(after) > 0 {
		node = &messages.NewControl(&arrival{it, after}).Item
	}
	if _, ok := d.mb.post(node); !ok {
		return messages.ErrStopped
	}
	return nil
}

// release queues an item that the delayer holds and that is due, with those who wait
// for it.
func (q *Queue) release(it *messages.Item, after []waiter) error {
	if fl := q.flags.Load(); fl != 0 {
		return why(fl)
	}
	t := q.table.Load()
	s, err := t.on(int(it.CPU))
	if err != nil {
		s = t.pick() // of any CPU, or of one that serves the queue no more
	}
	q.sampleDue(it)
	q.dueNow(s, it)
	return q.placeWith(it.Home, s, it, after)
}

// place queues an item that the caller owns at no place, or that the delayer
// holds: on the pool that runs it, if that is one of this queue's, so that it never
// runs twice at once. An ordered queue runs one item at a time anyway, and its
// order is that of the newest pool. It never waits.
func (q *Queue) place(s *share, it *messages.Item) error {
	_, err := q.put(s, it, nil)
	return err
}

// put is place, for an item that others may wait for, and says which share has it.
func (q *Queue) put(s *share, it *messages.Item, after []waiter) (*share, error) {
	for {
		t := q.table.Load()
		to, old := s, it.State()
		if old&messages.Running != 0 && q.opts.Kind != Ordered {
			if at := t.at(old.Runner()); at != nil {
				to = at
			}
		}
		if it.Kind == messages.KindWork && !it.Swap(old, old.Queued(to.pool.id)) {
			continue
		}
		to.room.add(1)
		if to.pushWith(it, &to.Home, after) {
			return to, nil
		}
		to.room.add(-1)
		if q.table.Load() == t && s == t.heir(s) { // the pool is not one that went
			if fl := q.flags.Load(); fl != 0 {
				return nil, why(fl)
			}
			return nil, messages.ErrStopped
		}
		s = q.table.Load().heir(s)
	}
}
