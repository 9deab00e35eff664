package actors

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// abort asks the place of an item to take it off its queue or, if it runs, to cancel
// its context. Nobody waits for an answer, so that it may be sent by anyone, in a turn
// too. An item that is between two steps is missed: who runs it looks whether it
// still should, as it begins.
type abort struct{ item *messages.Item }

// Abort does so; the item is reported to its Dropper with its Cause if it was taken
// off.
func Abort(it *messages.Item) {
	s := it.State()
	at := s.Place()
	switch {
	case s&messages.Pending != 0:
	case s&messages.Running != 0:
		at = s.Runner()
	default:
		return
	}
	if p := places.get(at); p != nil && p != freed {
		p.mail().post(&messages.NewControl(&abort{it}).Item)
	}
}

// causeOf is why an item that is told to end should.
func causeOf(it *messages.Item) error {
	if c, ok := it.Msg().(messages.Causer); ok {
		if err := c.Cause(); err != nil {
			return err
		}
	}
	return messages.ErrCancelled
}

// aborted reports an item that was taken off, by what hung on it.
func aborted(msg any, why error) {
	if d, ok := msg.(messages.Dropper); ok {
		d.Dropped(why)
	}
}

func (p *pool) abort(it *messages.Item) {
	s := it.State()
	switch {
	case s&messages.Pending != 0 && s.Place() == p.id && s&messages.Delayed == 0:
		for _, w := range p.leased {
			p.takeBack(w)
		}
		if p.has(it, s) {
			msg, why := it.Msg(), causeOf(it)
			home(it).queue.gets().cancelled.Add(1)
			after := p.withdraw(it, false)
			aborted(msg, why)
			releaseAll(after, nil, why)
		}
	case s&messages.Running != 0 && s.Runner() == p.id:
		w := p.worker(s.Worker())
		for w != nil && s.RunBy(w.runs) {
			if it.Swap(s, s|messages.Stop) {
				w.interrupt(it)
				return
			}
			s = it.State()
		}
	}
}

func (d *delayer) abort(it *messages.Item) {
	if dep := d.after[it]; dep != nil {
		msg, why := it.Msg(), causeOf(it)
		d.forgets(dep)
		dep.queue.bound.give()
		dep.queue.gets().cancelled.Add(1)
		d.sys.obs.withdrawn(it)
		idleItem(it)
		aborted(msg, why)
		dep.release(why)
		return
	}
	if s := it.State(); s&messages.Delayed == 0 || s.Place() != d.id {
		return
	}
	i := int(it.Epoch) // armed here, or on its way: nobody else touches it
	if i >= len(d.heap) || d.heap[i].it != it || !letGo(it, &ask{what: askCancel}) {
		return
	}
	msg, why := it.Msg(), causeOf(it)
	d.withdraw(i)
	queueOf(it).bound.give()
	queueOf(it).gets().cancelled.Add(1)
	d.sys.obs.withdrawn(it)
	idleItem(it)
	aborted(msg, why)
	releaseAll(d.waits.take(it), nil, why)
}

// WaitAll is Wait for several items, of which items gives those that have not ended.
func WaitAll(ctx context.Context, items func() []*messages.Item, done <-chan struct{}) error {
	return waitFor(ctx, &groupWait{items, done}, done)
}

// groupLooks is how many items of a group are looked at for a deadlock: each is a
// turn of a pool.
const groupLooks = 256

// groupWait is a wait for all of several items.
type groupWait struct {
	items func() []*messages.Item
	done  <-chan struct{}
}

func (t *groupWait) over() bool { return closed(t.done) }

func (t *groupWait) expand(k *walk) int {
	n := k.node(0, messages.Party{Item: true})
	items := t.items()
	for _, it := range items[:min(len(items), groupLooks)] {
		m := (&futureWait{it, t.done}).expand(k)
		if k.who[m] != (messages.Party{Item: true}) {
			k.who[n] = k.who[m] // one of them, to be named
		}
		k.g.Edge(n, m)
	}
	return n
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
