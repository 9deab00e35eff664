package actors

import (
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// systemList holds protoactor's own messages to an actor, which go before all
// others and are delivered to a suspended actor, too.
type systemList struct{ newest atomic.Pointer[systemMsg] }

type systemMsg struct {
	msg  any
	next *systemMsg
}

func (l *systemList) push(msg any) {
	n := &systemMsg{msg: msg}
	for {
		n.next = l.newest.Load()
		if l.newest.CompareAndSwap(n.next, n) {
			return
		}
	}
}

func (l *systemList) empty() bool { return l.newest.Load() == nil }

// deliver hands the messages out, oldest first, and keeps whether the actor is
// suspended.
func (l *systemList) deliver(to actor.MessageInvoker, suspended *bool) {
	if l.empty() {
		return
	}
	for n := reverse(l.newest.Swap(nil)); n != nil; n = n.next {
		switch n.msg.(type) {
		case *actor.SuspendMailbox:
			*suspended = true
		case *actor.ResumeMailbox:
			*suspended = false
		default:
			to.InvokeSystemMessage(n.msg)
		}
	}
}

func reverse(n *systemMsg) (first *systemMsg) {
	for n != nil {
		next := n.next
		n.next = first
		first, n = n, next
	}
	return first
}
