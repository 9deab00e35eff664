package actors

import (
	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq/messages"
)

// toldOfSettings takes a message about dead letters, or about how the queue is served.
func (a *queueActor) toldOfSettings(msg any) {
	q := a.q
	switch m := msg.(type) {
	case *messages.DeadLetters:
		answer := a.answerer()
		a.later(func() {
			letters, err := q.DeadLetters(q.sys.ctx)
			answer(&messages.DeadLettersListed{Letters: letters, Err: err})
		})
	case *messages.Requeue:
		answer := a.answerer()
		a.later(func() {
			n, err := q.Requeue(m.IDs, false)
			answer(&messages.Requeued{N: n, Err: err})
			q.noteRefusal(err)
		})
	case *messages.Discard:
		answer := a.answerer()
		a.later(func() {
			n, err := q.Discard(m.IDs)
			answer(&messages.Discarded{N: n, Err: err})
		})
	case *messages.SetRate:
		a.setting(m, func() error { return q.SetRate(rate.Limit(m.PerSecond), m.Burst) })
	case *messages.SetMinActive:
		a.setting(m, func() error { return q.SetMinActive(m.N) })
	case *messages.Pause:
		a.toldPause(m)
	case *messages.Resume:
		a.toldResume(m)
	case *messages.Fix:
		a.setting(m, func() error { return q.Fix(m.N, m.Depth) })
	default:
		a.unknown(msg)
	}
}

// setting does what asks this actor itself, and so waits, elsewhere.
func (a *queueActor) setting(m messages.Request, do func() error) {
	who := a.sender(m)
	a.later(func() { who.answer(do()) })
}
