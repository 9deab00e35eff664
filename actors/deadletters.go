package actors

import (
	"context"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// deadLetters are items that failed for good and that somebody may look at.
type deadLetters struct {
	list []*deadLetter // Q: oldest first
	next uint64        // Q: number of the last
}

// deadLetter is one, with what it takes to queue it again.
type deadLetter struct {
	messages.DeadLetter
	item *messages.Item
	f    messages.Func
	home *messages.Home
	cpu  uint16
}

// Messages about dead letters, to the queue's actor.
type (
	listDead struct {
		messages.Quiet
		reply chan<- []messages.DeadLetter
	}
	takeDead struct { // by number; nil: all
		messages.Quiet
		ids   []uint64
		reply chan<- []*deadLetter
	}
	giveDead struct { // back, in their places
		messages.Quiet
		list []*deadLetter
		done chan<- error
	}
)

// bury keeps an item that failed, makes room for it, and publishes it.
func (a *queueActor) bury(m *messages.Failed, limit int) {
	d := &a.q.sup.kept
	d.next++
	x := &deadLetter{item: m.Item, f: m.Func, home: m.Home, cpu: m.CPU}
	x.DeadLetter = messages.DeadLetter{
		ID: d.next, Queue: a.q.name, Func: codeName(codeOf(m.Item, m.Func)), Worker: m.Worker,
		Err: m.Err, First: m.Tries.First, Attempts: m.Tries.Count, At: time.Now(),
	}
	if k, ok := m.Home.Owner.(*Keyed); ok {
		x.Key = k.key
	}
	d.list = append(d.list, x)
	a.q.sup.dead.Add(1)
	if over := len(d.list) - max(1, limit); over > 0 {
		if a.q.sup.lost.Add(int64(over)) == int64(over) {
			a.q.sys.log.Warn("dead letters make room for newer ones", "queue", a.q.name, "limit", limit)
		}
		d.list = slices.Delete(d.list, 0, over)
	}
	e := &messages.DeadLettered{DeadLetter: x.DeadLetter}
	a.q.sys.as.EventStream.Publish(e)
	a.q.sys.as.EventStream.Publish(&actor.DeadLetterEvent{PID: a.q.pid, Message: e})
}

// onTakeDead takes dead letters off the list.
func (a *queueActor) onTakeDead(m *takeDead) {
	var taken []*deadLetter
	d := a.q.sup.letters()
	d.list = slices.DeleteFunc(d.list, func(x *deadLetter) bool {
		if m.ids != nil && !slices.Contains(m.ids, x.ID) {
			return false
		}
		taken = append(taken, x)
		return true
	})
	m.reply <- taken
}

// onGiveDead takes back what could not be queued again.
func (a *queueActor) onGiveDead(m *giveDead) {
	d := a.q.sup.letters()
	d.list = append(d.list, m.list...)
	slices.SortFunc(d.list, func(x, y *deadLetter) int { return int(x.ID) - int(y.ID) })
	reply(m.done, nil)
}

// snapshot copies what users may see.
func (d *deadLetters) snapshot() []messages.DeadLetter {
	list := make([]messages.DeadLetter, len(d.list))
	for i, x := range d.list {
		list[i] = x.DeadLetter
	}
	return list
}

// askFor sends a message to the queue's actor and waits for its one answer.
func askFor[T any](ctx context.Context, q *Queue, msg any, reply chan T) (T, error) {
	q.send(msg)
	var zero T
	select {
	case v := <-reply:
		return v, nil
	case <-q.gone.done():
	case <-q.sys.gone:
	case <-ctx.Done():
		return zero, context.Cause(ctx)
	}
	select {
	case v := <-reply:
		return v, nil
	default:
	}
	if q.sys.ended.Load() {
		return zero, messages.ErrStopped
	}
	return zero, messages.ErrDestroyed
}
