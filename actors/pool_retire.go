package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// A share is retired while its queue goes on with others. What it has runs here;
// what comes later is passed on to the share that took its place. When it is
// empty the queue publishes a table without it, so that nobody pushes here any
// more, and only then releases it: what was pushed before is passed on until then,
// and the queue is told of it.
type (
	borrow  struct{ share *share } // it has others beside it from now on
	retire  struct{ share *share }
	release struct{ share *share }

	// shareIdle tells the queue that a retired share has no item, and takes none;
	// its numbers are final.
	shareIdle struct {
		lateMsg
		share *share
		stats messages.ShareStats
	}
	// shareGone is the last that a queue hears of a share.
	shareGone struct {
		lateMsg
		share *share
		moved bool // items were passed on that no report has told of
	}
)

// lateMsg keeps a message to a queue that has just ended out of the log.
type lateMsg struct{}

// IgnoreDeadLetterLogging is protoactor's marker.
func (lateMsg) IgnoreDeadLetterLogging() {}

func (p *pool) retire(s *share) {
	s.pol.Retire()
	p.retiring = append(p.retiring, s)
	p.activate(s) // gives back the slots that it does not need
}

// retireIdle tells the queues of retired shares that are empty now.
func (p *pool) retireIdle() {
	p.retiring = slices.DeleteFunc(p.retiring, func(s *share) bool {
		if s.pol.Idle() && s.pol.Executing() == 0 { // a lease may be empty, and out
			p.ctx.Send(s.queue.pid, &shareIdle{share: s, stats: p.stats(s)})
			return true
		}
		return false
	})
}

// release lets go of a retired share that is empty. Messages for it that are
// under way find it gone.
func (p *pool) release(s *share) {
	s.gone = true
	p.detached(s)
	p.ctx.Send(s.queue.pid, &shareGone{share: s, moved: s.moved > 0})
}

// arriveRetired passes on what comes for a retired share, and gives what comes
// after it. An item that runs here by way of the share waits until that has ended,
// so that it does not run twice at once; an ordered queue sees to that itself.
func (p *pool) arriveRetired(it *messages.Item) *messages.Item {
	s := home(it)
	next := it.Next
	it.Next, it.Prev = nil, nil
	if w := p.runs(it); w != nil && w.share == s && s.queue.opts.Kind != Ordered {
		s.arrived++
		s.pol.Keep()
		it.Epoch, it.List = s.pol.Epoch.Now(), messages.OnPassing
		w.passing.append(it, it)
		return next
	}
	p.pass(s, it, s.pol.Epoch.Now())
	return next
}

// pass gives an item that is on no list to the share that took its share's place.
// The flush epoch it came in will be reported, with the remark that an item of it
// is elsewhere.
func (p *pool) pass(s *share, it *messages.Item, epoch uint32) {
	s.moved = max(s.moved, epoch+1)
	it.List = messages.Unlisted
	q := s.queue
	if err := q.place(q.table.Load().heir(s), it); err != nil {
		p.sys.drop(it, err)
	}
}

// passAll passes on the items that waited for their worker.
func (p *pool) passAll(w *worker) {
	for w.passing.first != nil {
		it := w.passing.shift()
		s, epoch := home(it), it.Epoch
		releaseAll(p.waits.take(it), errMoved)
		p.pass(s, it, epoch)
		if e, empty := s.pol.Epoch.Finish(epoch, 1); empty {
			p.emptied(s, e)
		}
	}
}
