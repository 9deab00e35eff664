package actors

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// DefaultShutdown is for how long a queue drains when it is told to stop, as Erlang's
// supervisors give a child.
const DefaultShutdown = 5 * time.Second

// shutdown is the end of a queue that was told to stop: by its parent, that stops or
// restarts, or by anybody who sent it protoactor's Stop or PoisonPill. It drains, as
// with Destroy, for as long as it may; then it is abandoned.
type shutdown struct {
	timer   *time.Timer // nil: it takes as long as it takes
	over    bool        // the time is over
	answers int         // of pools and the delayer, that have not come
	rescuer bool        // the rescuer was told, and its worker is out
	running int
}

type (
	// shutdownOver: the time to drain is over.
	shutdownOver struct{ messages.Quiet }
	// rescuerQuits asks the rescuer to lend its worker no more, and is its answer when
	// that is back.
	rescuerQuits struct{ messages.Quiet }
)

func (s *shutdown) abandons() bool { return s != nil && s.over }

// receiveEnd takes the messages of a queue's end.
func (a *queueActor) receiveEnd(msg any) {
	switch m := msg.(type) {
	case *stopHeld:
		a.toldToStop()
	case *inTurn:
		a.inOrderOf(m)
	case *shutdownOver:
		a.abandon()
	case *shareAbandoned:
		a.onAbandoned(m)
	case *rescuerQuits:
		a.shutdown.rescuer = false
		a.endAbandon()
	default:
		a.told(msg)
	}
}

// toldToStop begins a shutdown.
func (a *queueActor) toldToStop() {
	q := a.q
	switch {
	case q.opts.System:
		q.sys.log.Warn("a system queue was told to stop, and does not", "queue", q.name)
		return
	case a.shutdown != nil:
		return
	}
	a.shutdown = &shutdown{}
	d := DefaultShutdown
	if q.opts.Shutdown != nil {
		d = *q.opts.Shutdown
	}
	if d != 0 || a.drain == nil || !a.drain.ends { // what is armed is dropped, too
		a.startDrain(recipient{}, draining|destroyed)
	}
	switch {
	case d == 0:
		a.abandon()
	case d > 0 && a.q.flags.Load()&finished == 0:
		a.shutdown.timer = time.AfterFunc(d, func() { q.tell(&shutdownOver{}) })
	}
}

// abandon ends the drain: what waits is dropped, what runs is told to end, and everyone
// who waits is told. What the pools have not read yet is dropped when they do.
func (a *queueActor) abandon() {
	if a.q.flags.Load()&finished != 0 {
		return // it had ended in that moment
	}
	a.q.raise(draining | destroyed | finished)
	s := a.shutdown
	s.over = true
	if d := a.drain; d != nil {
		s.answers += d.disarms
		a.ending().waiters, d.destroy = d.destroy, nil
	}
	a.release(messages.ErrAbandoned)
	for _, sh := range a.shares {
		if a.q.post(sh, &abandonShare{sh, messages.ErrAbandoned}) {
			s.answers++
		}
	}
	a.endAbandon()
}

func (a *queueActor) onAbandoned(m *shareAbandoned) {
	a.lost(m.dropped)
	s := a.shutdown
	s.running += m.running
	s.answers--
	a.losses().Dropped += m.calls
	a.endAbandon()
}

// endAbandon goes on when nothing waits anywhere: only now are contexts cancelled, so
// that nothing starts in the place of what ends. A rescuer has to be there until its
// worker is back: it ends with the queue.
func (a *queueActor) endAbandon() {
	s := a.shutdown
	if s.answers > 0 || s.rescuer {
		return
	}
	if life := a.q.context(); life.Err() == nil {
		life.cancel(messages.ErrAbandoned)
		if r := a.q.rescuer; r != nil {
			s.rescuer = true
			a.ctx.Send(r.actor, &rescuerQuits{})
			return
		}
	}
	a.finish(messages.ErrAbandoned)
}

// finish ends a queue in which nothing waits.
func (a *queueActor) finish(why error) {
	a.q.raise(finished)
	a.drain = nil
	if s := a.shutdown; s != nil && s.timer != nil {
		s.timer.Stop()
	}
	if !a.shutdown.abandons() {
		for _, s := range a.shares {
			a.q.post(s, &messages.Detach{Share: s})
		}
	}
	a.freeFixed()
	a.q.context().cancel(why)
	a.tellAbandoned(why)
	a.q.box.free = true
	a.ctx.Stop(a.ctx.Self())
}

// stopped is the last: nobody finds the actor any more, and its name may be given out
// again.
func (a *queueActor) stopped() {
	q := a.q
	err := messages.ErrStopped
	if q.flags.Load()&finished != 0 {
		q.sys.forget(q)
		err = nil
		if a.shutdown.abandons() {
			err = messages.ErrAbandoned
		}
	}
	a.releaseLate(err) // what came while it waited for its rescuer to end
	if a.last != nil {
		for _, w := range a.last.waiters {
			w.answer(err)
		}
		a.last.waiters = nil
	}
	q.box.late = a.refuseLate
	q.gone.give()
}
