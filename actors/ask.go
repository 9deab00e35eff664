package actors

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// ask is a question about one item to the place where it is: the body of cancel
// and flush. The caller waits for the verdict, which takes a turn and no more.
type ask struct {
	ctl     messages.Control
	what    askKind
	item    *messages.Item
	when    int64                         // of askModify
	home    *messages.Home                // of askModify: if armed for another, it becomes askGrab
	cpu     uint16                        // of askModify: CPU to queue on, AnyCPU for any
	at      *mailbox                      // where it was asked
	f       func(*messages.Context) error // of askModify: what it runs
	pool    *pool                         // that waits for ended; nil: the delayer does
	verdict verdict                       // what it says, once told
	told    atomic.Uint32                 // A: askOpen, askAwaited or askTold
	wake    chan struct{}                 // of who waits for it to be told, if it does; room for one
	ended   chan error                    // told when the instance that was found has ended; room for one
	by      waiter                        // who is told: ended, or an item that waits
	after   []waiter                      // of askGrab, with the verdict: items to be queued after that instance
	fails   bool                          // of askCancel: the item counts as failed, not as cancelled
	waits   *dependent                    // of askFlush, before the verdict: what the item is that waits at the delayer
	on      *Queue                        // of askFlush and askGrab, before the verdict: the queue of that instance
}

type askKind uint8

const (
	askCancel askKind = iota // take it off, if it has not started
	askStop                  // that, or tell it to end and wait
	askFlush                 // wait for the last instance queued
	askGrab                  // take it off, and leave PENDING to the asker
	askModify                // of a delayer: change when it is due, and what it runs
	askAfter                 // tell an item that waits when the last instance queued has ended
)

type verdict uint8

const (
	gone    verdict = iota // on its way somewhere: look again
	removed                // it was pending and is not any more
	waiting                // ended will be told
	stopped                // nobody is there any more
	queued                 // of askFlush: it was armed, and is at its pool now
)

// errMoved tells who waits for an item that it is at another place now.
var errMoved = errors.New("cmwq: the item was passed on")

func newAsk(what askKind, it *messages.Item) *ask {
	a := &ask{what: what, item: it}
	if what == askStop || what == askFlush {
		a.ended = make(chan error, 1)
		a.by = sleeper(a.ended)
	}
	a.ctl.Init(a)
	return a
}

// send asks the place and waits for what it says.
func (a *ask) send(to messages.Place) verdict {
	if to == messages.NoPlace {
		return gone // in somebody's hands
	}
	p := places.get(to)
	switch p {
	case nil:
		return a.nobody(to)
	case freed:
		return gone
	}
	a.at = p.mail()
	if d, ok := p.(*delayer); !ok {
		a.pool, _ = p.(*pool)
	} else if v, ok := d.at(a); ok {
		return v
	}
	if _, ok := a.at.post(&a.ctl.Item); !ok {
		if places.get(to) != p {
			return gone // the pool was freed, or its system stops: look again
		}
		return stopped
	}
	return a.hear()
}

// nobody is the verdict of a place that does not exist any more. A pool that ends
// before its system passes its items on first.
func (a *ask) nobody(at messages.Place) verdict {
	if s := a.item.State(); s.Place() != at && (s&messages.Running == 0 || s.Runner() != at) {
		return gone
	}
	return stopped
}

// await waits for what ended will be told.
func (a *ask) await(ctx context.Context, op string) error {
	var refused chan error
	if x := inside(ctx); x != nil {
		e, err := x.enter(ctx, op, a.wait())
		if err != nil {
			a.leave()
			return err
		}
		defer e.leave()
		refused = e.refused
	}
	select {
	case err := <-a.ended:
		return err
	case err := <-refused:
		a.leave()
		return err
	case <-ctx.Done():
		a.leave()
		return context.Cause(ctx)
	}
}

// wait is what ended is waited for.
func (a *ask) wait() waitedFor {
	if a.pool == nil {
		return &afterWait{a.waits, a.ended}
	}
	return &itemWait{a.pool, a.item, a.ended}
}

// leave tells the pool that nobody waits any more.
func (a *ask) leave() {
	a.at.post(&messages.NewControl(&unwait{a.item, a.ended}).Item)
}

func (a *ask) refuse() { a.tell(stopped) }

// idleItem clears PENDING.
func idleItem(it *messages.Item) {
	for {
		s := it.State()
		if it.Swap(s, s.Idle()) {
			return
		}
	}
}

// holdItem leaves PENDING with an owner who is not a place: nobody is to be
// asked, and no place may touch the item.
func holdItem(it *messages.Item) {
	for {
		s := it.State()
		if it.Swap(s, s.Queued(messages.NoPlace)) {
			return
		}
	}
}
