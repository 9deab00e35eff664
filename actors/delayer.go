package actors

import (
	"math"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// delayer is the actor of delayed items: one heap, one timer. An armed item is
// PENDING, at the delayer's place; when it is due it goes to its queue.
type delayer struct {
	sys    *System
	id     messages.Place
	mb     mailbox
	heap   heap
	struck int // entries of the heap that are nobody's
	timer  *time.Timer
	armed  time.Duration    // when the timer fires, 0 if it is off
	due    messages.Control // the timer's node
	done   bool
	lost   lost
	behind
}

type (
	dueMsg    struct{}
	disarmMsg struct { // a queue ends: its armed items are reported
		queue *Queue // nil: all queues
		why   error
		told  func(dropped []*messages.Item)
	}
)

func newDelayer(sys *System) *delayer {
	d := &delayer{sys: sys}
	d.due.Init(dueMsg{})
	d.mb.rest = func() int32 { return idle }
	d.timer = time.AfterFunc(time.Hour, func() { d.mb.postOnce(&d.due) })
	d.timer.Stop()
	return d
}

func (d *delayer) mail() *mailbox { return &d.mb }

// Receive is the delayer's turn.
func (d *delayer) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *batch:
		d.turn(m.first)
	case *actor.Stopping:
		d.stop()
	case *actor.Stopped:
		places.remove(d.id)
	}
}

func (d *delayer) turn(first *messages.Item) {
	timely := false // there may be something due
	for it := first; it != nil; {
		next := it.Next
		it.Next, it.Prev = nil, nil
		if it.Kind != messages.KindControl {
			d.arm(it)
			timely = true
		} else if d.control(it.Msg()) {
			timely = true
		}
		it = next
	}
	d.settles(timely)
}

// settles ends a turn; timely says that there may be something due. Else what is due,
// the timer tells.
func (d *delayer) settles(timely bool) {
	if d.done || !timely && !d.early() {
		return
	}
	now := d.sys.now()
	for it := d.next(now); it != nil; it = d.next(now) {
		d.forward(it)
	}
	d.report()
	d.rearm(now)
}

// arm takes an item, unless its queue has ended since it was accepted.
func (d *delayer) arm(it *messages.Item) {
	q := queueOf(it)
	if fl := q.flags.Load(); fl&(destroyed|systemStopped) != 0 {
		d.sys.drop(it, why(fl))
		releaseAll(d.waits.take(it), nil, why(fl))
		return
	}
	if dep, ok := it.Home.Owner.(*dependent); ok {
		d.armAfter(dep)
		return
	}
	d.list(it)
}

func (d *delayer) rearm(now time.Duration) {
	if len(d.heap) == 0 || d.heap[0].when == math.MaxInt64 {
		return // a timer that is on finds nothing
	}
	when := time.Duration(d.heap[0].when)
	if d.armed == 0 || when < d.armed {
		d.armed = when
		d.timer.Reset(when - now)
	}
}

// control reads a message, and says whether something may be due after it. A cancel or
// a move costs no look at the clock.
func (d *delayer) control(msg any) (timely bool) {
	switch m := msg.(type) {
	case dueMsg:
		d.due.Queued.Store(false)
		d.armed = 0
	case *ask:
		timely := m.what == askFlush // it may have lost an item
		m.tell(d.answer(m))
		return timely
	case *abort:
		d.abort(m.item)
	case *edgeEnded:
		d.onEdge(m)
	case *arrival:
		d.onArrival(m)
	case *unwait:
		d.unwait(m)
	case *dependentAsk:
		m.reply <- d.after[m.item]
	case *Series:
		d.again(m)
	case *retryItem:
		d.retry(m)
	case *releaseItem:
		d.release(m)
	case *settle:
		m.done <- struct{}{}
	case *disarmMsg:
		m.told(d.disarm(m.queue, m.why))
	}
	return true
}

// disarm drops the armed items of a queue, or of all, and says which they were.
func (d *delayer) disarm(q *Queue, why error) []*messages.Item {
	var armed []*messages.Item
	for _, x := range d.heap {
		if x.it != nil && (q == nil || queueOf(x.it) == q) {
			armed = append(armed, x.it)
		}
	}
	for _, it := range armed {
		d.sys.drop(d.take(int(it.Epoch)), why)
		releaseAll(d.waits.take(it), nil, why)
	}
	return append(armed, d.dropAfter(q, why)...)
}

func (d *delayer) answer(a *ask) verdict {
	it := a.item
	if dep := d.after[it]; dep != nil {
		return d.answerAfter(a, dep)
	}
	s := it.State()
	if s&messages.Delayed == 0 || s.Place() != d.id {
		return gone
	}
	// Armed here, or on its way: nobody else touches it.
	i := int(it.Epoch)
	if i >= len(d.heap) || d.heap[i].it != it {
		return gone
	}
	if !letGo(it, a) {
		return gone
	}
	if a.what == askModify && it.Home != a.home {
		a.what = askGrab
	}
	switch a.what {
	case askModify:
		it.CPU, it.Func = a.cpu, a.f
		d.move(i, a.when)
	case askAfter:
		if d.waits == nil {
			d.waits = waits{}
		}
		d.waits[it] = append(d.waits[it], a.by)
		return waiting
	case askFlush:
		it = d.take(i)
		it.When = d.sys.nanos() // it has not waited before
		d.forward(it)
		return queued
	case askGrab:
		d.withdraw(i)
		a.on = queueOf(it)
		a.after = d.waits.take(it)
		d.sys.obs.cancelled(it, nil)
		holdItem(it)
	default:
		d.withdraw(i)
		if _, ok := seriesOf(it); !ok {
			queueOf(it).bound.give()
			queueOf(it).countCancelled(a)
			d.sys.obs.withdrawn(it)
		}
		idleItem(it)
		releaseAll(d.waits.take(it), nil, messages.ErrCancelled)
	}
	return removed
}

// forward queues an item that is due.
func (d *delayer) forward(it *messages.Item) {
	if s, ok := seriesOf(it); ok {
		d.fire(s)
		return
	}
	q := queueOf(it)
	after := d.waits.take(it)
	if err := q.release(it, after); err != nil {
		d.sys.drop(it, err)
		d.lose(q, err)
		releaseAll(after, nil, err)
	}
}

func (d *delayer) stop() {
	d.done = true
	d.timer.Stop()
	for it := d.mb.seal(); it != nil; {
		next := it.Next
		if it.Kind != messages.KindControl {
			d.sys.drop(it, messages.ErrStopped)
		} else if a, ok := it.Msg().(*ask); ok {
			a.refuse()
		} else if m, ok := it.Msg().(*disarmMsg); ok {
			m.told(nil)
		} else {
			d.refuse(it.Msg())
		}
		it = next
	}
	d.heap.sweep()
	for len(d.heap) > 0 {
		d.sys.drop(d.take(0), messages.ErrStopped)
	}
	d.dropAfter(nil, messages.ErrStopped)
	d.waits.release(messages.ErrStopped)
}
