package actors

import (
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// What an actor asks for by message. Nothing here waits: what a turn of another actor
// is needed for is the clerk's.

// told takes a message about work.
func (a *queueActor) told(msg any) {
	q := a.q
	switch m := msg.(type) {
	case *messages.Queue:
		a.inOrder(m, m.Work, func(it *messages.Item, f messages.Func) error {
			if m.Key != nil {
				return q.Keyed(m.Key).Queue(it, f, false)
			}
			return q.Queue(it, f, false)
		})
	case *messages.QueueOn:
		a.inOrder(m, m.Work, func(it *messages.Item, f messages.Func) error { return q.QueueOn(m.CPU, it, f, false) })
	case *messages.QueueAfter:
		a.inOrder(m, m.Work, func(it *messages.Item, f messages.Func) error {
			if m.Key != nil {
				return q.Keyed(m.Key).QueueAfter(m.Delay, it, f, false)
			}
			return q.QueueAfter(m.Delay, messages.AnyCPU, it, f, false)
		})
	case *messages.Go:
		who := a.sender(m)
		a.soon(func() {
			if m.Key != nil {
				who.answer(q.Keyed(m.Key).Go(m.Func, false))
				return
			}
			who.answer(q.Go(m.Func, false))
		})
	case *messages.Modify:
		a.modify(m)
	case *messages.Inspect:
		a.inspect()
	case *messages.SetAttrs:
		who := a.sender(m)
		change, ok := m.Change.(func(*policy.Attrs))
		if !ok {
			who.answer(messages.ErrOption)
			return
		}
		a.later(func() { who.answer(q.SetAttrs(q.sys.ctx, change)) })
	default:
		a.toldOfItem(msg)
	}
}

// inOrder does with an item what takes no turn of another actor.
func (a *queueActor) inOrder(m messages.Request, w messages.Work, do func(*messages.Item, messages.Func) error) {
	who := a.sender(m)
	it, f := itemOf(w)
	if it == nil {
		who.answer(messages.ErrNoFunc)
		return
	}
	a.soon(func() { who.answer(do(it, f)) })
}

// itemOf gives the item that a message names, nil if it names none.
func itemOf(w messages.Work) (*messages.Item, messages.Func) {
	if w == nil {
		return nil, nil
	}
	return w.Item()
}

// soon does f at once, unless the clerk has to do something before it, or f may have to
// wait for a pool that drops an item.
func (a *queueActor) soon(f func()) {
	if a.clerk.idle() && !a.q.bound.drops() {
		f()
	} else {
		a.byClerk(f)
	}
}

// byClerk does f in order, on another goroutine.
func (a *queueActor) byClerk(f func()) {
	if a.clerk == nil {
		a.clerk = &clerk{disp: a.q.sys.disp}
	}
	a.clerk.do(f)
}

// later does f, which may wait, on a goroutine of the dispatcher.
func (a *queueActor) later(f func()) { a.q.sys.disp.Schedule(f) }

func (a *queueActor) modify(m *messages.Modify) {
	answer, q := a.answerer(), a.q
	it, f := itemOf(m.Work)
	if it == nil {
		answer(m.Answer(messages.ErrNoFunc))
		return
	}
	a.byClerk(func() {
		r := &messages.Modified{Work: m.Work}
		if m.Key != nil {
			r.WasPending, r.Err = q.Keyed(m.Key).Modify(m.Delay, it, f, false)
		} else {
			r.WasPending, r.Err = q.Modify(m.Delay, messages.AnyCPU, it, f, false)
		}
		answer(r)
		q.noteRefusal(r.Err)
	})
}

// inspect asks the pools, which each take a turn.
func (a *queueActor) inspect() {
	answer, q := a.answerer(), a.q
	a.later(func() {
		st, err := q.Stats(q.sys.ctx)
		answer(&messages.Inspected{Queue: q.name, Stats: st, Err: err})
	})
}
