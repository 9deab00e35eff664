package actors

import "github.com/cmwq/cmwq/messages"

// Flush, Drain and Destroy come from callers with a channel, who were checked, and
// from actors by message.

// flush begins one, unless there is nobody to be told of its end.
func (a *queueActor) flush(m *messages.Flush) {
	if m.Done == nil {
		a.q.warnFlush()
		if a.ctx.Sender() == nil {
			return
		}
	}
	if who := a.waits(m, m.Done); a.shutdown.abandons() {
		who.answer(messages.ErrAbandoned)
	} else {
		a.closeEpoch(who, m.Epoch)
	}
}

// onDrain begins to drain. Of a system queue only a Stop of the system may.
func (a *queueActor) onDrain(m *messages.Drain) {
	who := a.waits(m, m.Done)
	if a.q.flags.Load()&systemStopped != 0 {
		a.resume() // what was accepted is done before the system stops
	}
	switch {
	case a.q.opts.System && m.Done == nil:
		who.answer(messages.ErrSystemQueue)
	case a.shutdown.abandons():
		who.answer(messages.ErrAbandoned)
	default:
		a.startDrain(who, draining)
	}
}

// onDestroy begins to destroy the queue. Who asks by message may not be the first: it
// waits as that does, and is told so.
func (a *queueActor) onDestroy(m *messages.Destroy) {
	who := a.waits(m, m.Done)
	if m.Done == nil && a.ctx.Sender() == nil {
		who = recipient{} // nobody, or its strategy for failing work
	} else if m.Done == nil {
		if a.q.opts.System {
			who.answer(messages.ErrSystemQueue)
			return
		}
		if a.q.raise(draining|destroyed)&destroyed != 0 {
			who = recipient{tell: second(who)}
		}
	}
	if a.shutdown.abandons() {
		last := a.ending()
		last.waiters = append(last.waiters, who)
		return
	}
	a.startDrain(who, draining|destroyed)
}

// second is told of the end of a queue that another destroys.
func second(who recipient) func(error) {
	return func(err error) {
		if err == nil {
			err = messages.ErrDestroyed
		}
		who.answer(err)
	}
}
