package actors

import (
	"errors"

	"github.com/cmwq/cmwq/messages"
)

// lastWord is what is told when a queue has ended.
type lastWord struct {
	waiters []recipient         // Q: of a queue that ends, answered when it has
	lost    *messages.Abandoned // Q: items that were dropped because the queue ends; nil if none
}

func (a *queueActor) ending() *lastWord {
	if a.last == nil {
		a.last = &lastWord{}
	}
	return a.last
}

// lost keeps which accepted items of the queue were dropped because it ends.
func (a *queueActor) lost(items []*messages.Item) {
	if len(items) == 0 {
		return
	}
	r := a.losses()
	for _, it := range items {
		if it.Kind == messages.KindWork {
			if _, timer := seriesOf(it); timer {
				continue // a series was ended, and no item is lost with it
			}
			r.Items = append(r.Items, it)
		}
		r.Dropped++
	}
}

func (a *queueActor) losses() *messages.Abandoned {
	l := a.ending()
	if l.lost == nil {
		l.lost = &messages.Abandoned{Queue: a.q.name}
	}
	return l.lost
}

// tellAbandoned publishes and logs what a queue that was told to stop did not do.
func (a *queueActor) tellAbandoned(why error) {
	if a.shutdown == nil {
		return
	}
	r := a.losses()
	r.Running = a.shutdown.running
	if r.Dropped == 0 && r.Running == 0 {
		return
	}
	if errors.Is(why, messages.ErrAbandoned) {
		a.q.sys.log.Warn("a queue was told to stop, and abandoned with work to do",
			"queue", a.q.name, "dropped", r.Dropped, "running", r.Running)
	}
	a.q.sys.as.EventStream.Publish(r)
}

// release answers everyone who waits.
func (a *queueActor) release(err error) {
	for _, w := range a.epochs {
		w.answer(err)
	}
	a.epochs = nil
	if a.drain != nil {
		a.drain.release(err)
		a.drain = nil
	}
}

// releaseLate answers who asked for something when the actor had stopped, and was still
// there. The end is no success of theirs.
func (a *queueActor) releaseLate(err error) {
	if err == nil {
		err = messages.ErrDestroyed
	}
	a.release(err)
}
