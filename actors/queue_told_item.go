package actors

import (
	"errors"

	"github.com/cmwq/cmwq/messages"
)

// toldOfItem takes a message about an item, whichever queue that is on.
func (a *queueActor) toldOfItem(msg any) {
	switch m := msg.(type) {
	case *messages.Cancel:
		a.withItem(m, m.Work, func(it *messages.Item, answer func(any)) {
			a.byClerk(func() { answer(&messages.Cancelled{Work: m.Work, WasPending: Cancel(it)}) })
		})
	case *messages.CancelWait:
		a.withItem(m, m.Work, func(it *messages.Item, answer func(any)) {
			a.stopItem(it, "cancel", func(was bool, err error) {
				if !errors.Is(err, messages.ErrDepth) {
					_, _ = Enable(it)
				}
				answer(&messages.Cancelled{Work: m.Work, WasPending: was, Err: err})
			})
		})
	case *messages.Disable:
		a.withItem(m, m.Work, func(it *messages.Item, answer func(any)) {
			a.stopItem(it, "disable", func(was bool, err error) {
				answer(&messages.Disabled{Work: m.Work, WasPending: was, Err: err})
			})
		})
	case *messages.Enable:
		a.withItem(m, m.Work, func(it *messages.Item, answer func(any)) {
			a.soon(func() {
				left, err := Enable(it)
				answer(&messages.Enabled{Work: m.Work, Left: left, Err: err})
			})
		})
	case *messages.FlushWork:
		a.withItem(m, m.Work, func(it *messages.Item, answer func(any)) {
			a.soon(func() {
				a.later(func() { answer(m.Answer(Flush(a.q.sys.ctx, it))) })
			})
		})
	default:
		a.toldOfSettings(msg)
	}
}

// withItem takes a message's item and sender.
func (a *queueActor) withItem(m messages.Request, w messages.Work, do func(it *messages.Item, answer func(any))) {
	answer := a.answerer()
	it, _ := itemOf(w)
	if it == nil {
		answer(m.Answer(messages.ErrNoFunc))
		return
	}
	do(it, answer)
}

// stopItem disables an item in order, and tells when nothing of it runs any more.
func (a *queueActor) stopItem(it *messages.Item, op string, then func(was bool, err error)) {
	ctx := a.q.sys.ctx
	a.soon(func() {
		if err := deepen(it); err != nil {
			then(false, err)
			return
		}
		if s := it.State(); s&(messages.Pending|messages.Running) == 0 {
			then(false, nil)
			return
		}
		a.later(func() { then(stopAndWait(ctx, it, op)) })
	})
}
