package actors

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/cmwq/cmwq/messages"
)

// errBusy: the item waits or runs, and may not be queued behind itself.
var errBusy = errors.New("cmwq: work is busy")

// seriesOf gives the series that an armed item is the timer of.
func seriesOf(it *messages.Item) (*Series, bool) {
	s, ok := it.Msg().(*Series)
	return s, ok
}

// fire looks at a series whose timer was taken off the heap, and arms it again
// unless it has ended.
func (d *delayer) fire(s *Series) {
	if s.pol.Fire(s.clock(), rand.Uint64()) {
		s.queue()
	}
	s.publish()
	_, more := s.pol.Due()
	switch {
	case more:
		s.timer.When = s.when()
	case s.pol.Owed() > 0:
		s.timer.When = math.MaxInt64 // never: it is there to be stopped
	default:
		idleItem(&s.timer)
		s.finish(nil)
		return
	}
	d.heap.push(&s.timer)
}

// again queues what a series still owes, after a run of it.
func (d *delayer) again(s *Series) {
	s.ended.Queued.Store(false)
	if d.done || s.timer.State()&messages.Pending == 0 || !s.pol.Again() {
		return // a series that was stopped owes nothing
	}
	s.queue()
	s.publish()
	if _, more := s.pol.Due(); !more && s.pol.Owed() == 0 {
		d.heap.remove(int(s.timer.Epoch))
		idleItem(&s.timer)
		s.finish(nil)
	}
}

// queue tries to queue the item of a series.
func (s *Series) queue() { s.pol.Queued(s.tryQueue() == nil) }

func (s *Series) tryQueue() error {
	q := s.q
	if fl := q.flags.Load(); fl != 0 {
		return why(fl)
	}
	to, err := q.at(s.cpu)
	if err != nil {
		return err
	}
	if !q.bound.try() {
		return messages.ErrFull
	}
	if err := seize(s.work, s.pol.OnlyIdle()); err != nil {
		q.bound.give()
		return err
	}
	s.work.Func = s.run
	if q.sup != nil {
		s.work.Tried(&s.mark)
	}
	q.stamp(to, s.cpu, s.work)
	if err := q.place(to, s.work); err != nil {
		q.sys.obs.cancelled(s.work, err)
		s.work.Tried(nil)
		q.bound.give()
		idleItem(s.work)
		return err
	}
	return nil
}

// seize sets PENDING of an item, at no place: of one that runs only if it may.
func seize(it *messages.Item, onlyIdle bool) error {
	for {
		s := it.State()
		switch {
		case s&messages.Pending != 0:
			if it.Swap(s, s) { // as claim: what was written before is seen
				return messages.ErrPending
			}
		case s.Depth() > 0:
			return messages.ErrDisabled
		case s&messages.Running != 0 && onlyIdle:
			return errBusy
		case it.Swap(s, s.Queued(messages.NoPlace)):
			return nil
		}
	}
}
