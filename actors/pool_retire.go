package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// A share is retired while its queue goes on with others. What it has runs here;
// what comes later is passed on to the share that took its place. When it is
// empty the queue publishes a table without it, so that nobody pushes here any
// more, and releases it after a period of grace: what was pushed before is passed on
// until then, and the queue is told of it.
type (
	borrow  struct{ share *share } // it has others beside it from now on
	retire  struct{ share *share }
	release struct{ share *share }

	// shareIdle tells the queue that a retired share has no item, and takes none;
	// its numbers are final.
	shareIdle struct {
		messages.Quiet
		share *share
		stats messages.ShareStats
		times *times
	}
	// shareGone is the last that a queue hears of a share.
	shareGone struct {
		messages.Quiet
		share *share
		moved bool // items were passed on that no report has told of
	}
)

func (p *pool) retire(s *share) {
	s.pol.Retire()
	p.retiring = append(p.retiring, s)
	p.activate(s) // gives back the slots that it does not need
}

// retireIdle tells the queues of retired shares that are empty now, or gone.
func (p *pool) retireIdle() {
	p.retiring = slices.DeleteFunc(p.retiring, func(s *share) bool {
		// A lease may be empty and out, an item passed on and not arrived.
		if s.pol.Idle() && s.pol.Executing() == 0 && s.pol.Epoch.Unfinished() == 0 {
			if s.gone {
				p.ctx.Send(s.queue.pid, &shareGone{share: s, moved: s.moved > 0})
			} else {
				p.ctx.Send(s.queue.pid, &shareIdle{share: s, stats: p.stats(s), times: s.has().times.clone()})
			}
			return true
		}
		return false
	})
}

// release lets go of a retired share that is empty. Messages for it that are
// under way find it gone. What came since it was empty, and waits for its worker or
// is being passed on, is waited for: a flush must learn that it moved.
func (p *pool) release(s *share) {
	s.gone = true
	p.detached(s)
	p.retiring = append(p.retiring, s)
}

// arriveRetired passes on what comes for a retired share, and gives what comes
// after it. An item that runs here by way of the queue waits until that has ended,
// so that it does not run twice at once; an ordered queue sees to that itself.
// The pool of a key waits for it wherever it runs.
func (p *pool) arriveRetired(s *share, it *messages.Item, after []waiter) *messages.Item {
	next := it.Next
	it.Next, it.Prev = nil, nil
	if dead := s.has().dead; dead != nil {
		s.room.add(-1)
		p.sys.drop(it, dead)
		releaseAll(after, nil, dead)
		return next
	}
	if s.gone {
		p.pass(it, after) // whoever pushed it waits for that
		return next
	}
	s.arrived++
	s.pol.Keep()
	it.Epoch = s.pol.Epoch.Now()
	_, keyed := it.Home.Owner.(*lane)
	w := p.runs(it)
	if w != nil {
		p.uncouple(w)
	}
	if w != nil && !keyed && w.share.queue == s.queue && s.queue.opts.Kind != Ordered {
		if it.List = messages.OnPassing; len(after) > 0 {
			it.List |= messages.Awaited
			p.waits[it] = append(p.waits[it], after...)
		}
		w.passing.append(it, it)
		return next
	}
	p.passCounted(s, it, after)
	return next
}

// pass gives an item that is on no list to the share that took the place of the one
// it came for, and says which took it; nil if it was dropped.
func (p *pool) pass(it *messages.Item, after []waiter) (to *share) {
	it.List = messages.Unlisted
	var err error
	switch o := it.Home.Owner.(type) {
	case *lane:
		heir := o.share.queue.table.Load().keyShare(o.hash)
		to, err = newLane(heir, o.key, o.hash).put(it, after)
	case *share:
		q := o.queue
		to, err = q.put(q.table.Load().heir(o), it, after)
	}
	if err != nil {
		p.sys.drop(it, err)
		releaseAll(after, nil, err)
		return nil
	}
	return to
}
