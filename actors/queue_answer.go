package actors

import (
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// Who is told of what a message has done.

// sender is who sent a message, if anybody did, or who waits on its channel.
func (a *queueActor) sender(m messages.Request) recipient {
	if to := a.ctx.Sender(); to != nil {
		root := a.q.sys.as.Root
		return recipient{tell: func(err error) { root.Send(to, m.Answer(err)) }}
	}
	return recipient{tell: a.q.noteRefusal}
}

// answerer sends to the sender of a message, if it has one.
func (a *queueActor) answerer() func(any) {
	to, root := a.ctx.Sender(), a.q.sys.as.Root
	if to == nil {
		return func(any) {}
	}
	return func(m any) { root.Send(to, m) }
}

// noteRefusal logs what nobody is told of. An item that is pending is not lost.
func (q *Queue) noteRefusal(err error) {
	if err != nil && !errors.Is(err, messages.ErrPending) {
		q.sys.log.Warn("what was asked for by message was refused", "queue", q.name, "err", err)
	}
}

// waits gives who waits for a message's answer: on its channel, if it has one.
func (a *queueActor) waits(m messages.Request, done chan<- error) recipient {
	if done != nil {
		return recipient{done: done}
	}
	return a.sender(m)
}

// unknown takes what is no message to a queue.
func (a *queueActor) unknown(msg any) {
	switch msg.(type) {
	case actor.AutoReceiveMessage, actor.SystemMessage, *actor.ReceiveTimeout:
	default:
		a.q.sys.log.Warn("a queue does not know this message", "queue", a.q.name, "message", fmt.Sprintf("%T", msg))
	}
}

// refuseLate takes what was sent to a queue that had ended.
func (a *queueActor) refuseLate(msg any) {
	if m, ok := actor.UnwrapEnvelopeMessage(msg).(*messages.Failed); ok {
		a.report(m)
		return
	}
	m, ok := actor.UnwrapEnvelopeMessage(msg).(messages.Request)
	if !ok {
		return
	}
	err := messages.ErrDestroyed
	if a.q.sys.ended.Load() {
		err = messages.ErrStopped
	}
	if to := actor.UnwrapEnvelopeSender(msg); to != nil {
		a.q.sys.as.Root.Send(to, m.Answer(err))
	}
}
