package actors

import (
	"context"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// A pause is a freeze of one queue: its actor takes the slots from its shares, whichever
// pools serve it, and gives them back. Its frost is who waits for it, and that it is.

type (
	// pauseMsg and resumeMsg are to the queue's actor.
	pauseMsg struct {
		messages.Quiet
		reply chan<- *frost // nil: the queue ends
	}
	resumeMsg struct {
		messages.Quiet
		done chan<- error
	}
	// pauseShare and resumeShare are from it to the pools.
	pauseShare struct {
		share *share
		frost *frost
	}
	resumeShare struct{ share *share }
)

// Pause stops the queue, and waits until nothing of it is active.
func (q *Queue) Pause(ctx context.Context) error {
	if err := q.everybodys("pause"); err != nil {
		return err
	}
	var refused <-chan error
	on := &pauseWait{queueWait: queueWait{queue: q, all: true}}
	if x := inside(ctx); x != nil {
		if x.queue == q {
			return x.itself("pause", q.party())
		}
		e, err := x.enter(ctx, "pause", on)
		if err != nil {
			return err
		}
		defer e.leave()
		refused = e.refused
	}
	reply := make(chan *frost, 1)
	q.send(&pauseMsg{reply: reply})
	select {
	case f := <-reply:
		if f == nil {
			return q.ended()
		}
		on.frost.Store(f)
		select {
		case <-f.done:
			return f.err
		case err := <-refused:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-q.gone.done():
		case <-q.sys.gone:
		}
		select {
		case <-f.done: // it was told before the end
			return f.err
		default:
		}
	case err := <-refused:
		return err
	case <-ctx.Done(): // the queue may wait for what its parent decides
		return context.Cause(ctx)
	case <-q.gone.done():
	case <-q.sys.gone:
	}
	return q.ended()
}

// Resume lets the queue go on; its items start in order.
func (q *Queue) Resume() error {
	if err := q.everybodys("resume"); err != nil {
		return err
	}
	done := make(chan error, 1)
	return q.ask(context.Background(), &resumeMsg{done: done}, done)
}

// Paused says whether the queue is, or comes to rest.
func (q *Queue) Paused() bool { return q.has().paused.Load() != nil }

// ended says why the queue's actor gives no answer.
func (q *Queue) ended() error {
	if q.sys.ended.Load() {
		return messages.ErrStopped
	}
	return messages.ErrDestroyed
}

// pause gives the frost of the pause that there is now; nil if the queue ends, which it
// could not if it were paused.
func (a *queueActor) pause() *frost {
	q := a.q
	if q.sys.ended.Load() || q.flags.Load()&(destroyed|systemStopped) != 0 || a.shutdown != nil {
		return nil
	}
	if f := q.has().paused.Load(); f != nil {
		return f
	}
	f := &frost{done: make(chan struct{})}
	f.left.Store(1) // this loop
	q.gets().paused.Store(f)
	if q.sys.ended.Load() { // a Stop that began just now may have looked for paused queues before
		q.tell(&resumeMsg{})
	}
	for _, s := range a.shares {
		f.left.Add(1)
		if !q.post(s, &pauseShare{s, f}) {
			f.still()
		}
	}
	f.still()
	return f
}

func (a *queueActor) resume() {
	f := a.q.has().paused.Load()
	if f == nil {
		return
	}
	f.end(messages.ErrResumed)
	a.q.gets().paused.Store(nil)
	for _, s := range a.shares {
		a.q.post(s, &resumeShare{s})
	}
}

// toldPause is Pause for an actor: it begins in this turn, and is answered when nothing
// is active any more.
func (a *queueActor) toldPause(m *messages.Pause) {
	who, q := a.sender(m), a.q
	if err := q.everybodys("pause"); err != nil {
		who.answer(err)
		return
	}
	f := a.pause()
	if f == nil {
		who.answer(q.ended())
		return
	}
	a.later(func() {
		select {
		case <-f.done:
			who.answer(f.err)
		case <-q.gone.done():
			who.answer(q.ended())
		}
	})
}

func (a *queueActor) toldResume(m *messages.Resume) {
	err := a.q.everybodys("resume")
	if err == nil {
		a.resume()
	}
	a.sender(m).answer(err)
}

func (m *pauseShare) read(p *pool) {
	s := m.share
	if s.ended || s.gone {
		m.frost.still() // nobody would resume it
		return
	}
	s.pol.Pause()
	s.gets().pause = m.frost
	p.halt(s)
}

func (m *pauseShare) refused(*pool) { m.frost.still() }

func (m *resumeShare) read(p *pool) {
	s := m.share
	if s.rare != nil {
		s.rare.pause = nil
	}
	s.pol.Resume()
	p.goOn(s)
}

// pauseWait is the wait of an item for a pause.
type pauseWait struct {
	queueWait
	frost atomic.Pointer[frost] // A: once it has begun
}

func (t *pauseWait) over() bool {
	f := t.frost.Load()
	return f != nil && f.ended.Load()
}
