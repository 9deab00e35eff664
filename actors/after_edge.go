package actors

import (
	"errors"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// Edge is one of the others.
type Edge struct {
	dep   *dependent     // I:
	item  *messages.Item // I: once it is watched
	ended atomic.Bool    // A:
}

// edgeEnded tells the delayer.
type edgeEnded struct {
	edge    *Edge
	failure error
}

// Future watches the item of a future, which tells the edge itself.
func (e *Edge) Future(it *messages.Item) { e.item = it }

// Work watches the instance of an item that was queued last.
func (e *Edge) Work(it *messages.Item) (waits bool, failure error) {
	e.item = it
	var again backoff
	for {
		s := it.State()
		at := s.Place()
		if s&messages.Pending == 0 {
			if s&messages.Running == 0 {
				return false, nil
			}
			at = s.Runner()
		}
		a := newAsk(askAfter, it)
		a.by = e
		switch a.send(at) {
		case waiting:
			return true, nil
		case stopped:
			return false, messages.ErrStopped
		default:
			again.pause()
		}
	}
}

func (e *Edge) told(err, failure error) {
	held, again := failure.(*heldError) //nolint:errorlint // it is never wrapped
	if again || errors.Is(err, errMoved) {
		e.dep.queue.sys.disp.Schedule(func() { e.again(held) })
		return
	}
	if err != nil {
		failure = err
	}
	e.Told(failure)
}

// again looks for an item that was moved or, held is not nil, that is to run again.
func (e *Edge) again(held *heldError) {
	if held != nil && held.tries.Ended() != nil {
		e.Told(held.tries.Ended())
		return
	}
	waits, failure := e.Work(e.item)
	if waits {
		return
	}
	if held != nil && failure == nil {
		failure = held.tries.Ended() // meanwhile; nil: the retry was done
	}
	e.Told(failure)
}

// Told says that it has ended, and how. It does not wait.
func (e *Edge) Told(failure error) {
	if !e.ended.Swap(true) {
		e.dep.queue.sys.delayer.mb.post(&messages.NewControl(&edgeEnded{e, failure}).Item)
	}
}
