package actors

import "github.com/cmwq/cmwq/messages"

// inTurn is a message to the queue itself that had to come behind what the clerk does.
type inTurn struct {
	messages.Quiet
	messages.Request
	read chan struct{} // closed when it was
}

// behind says whether a message has to come behind what the clerk does, and sees to that.
// Messages about items go to the clerk anyway.
func (a *queueActor) behind(msg any) bool {
	var m messages.Request
	switch x := msg.(type) {
	case *messages.Flush:
		if x.Done == nil {
			m = x
		}
	case *messages.Drain:
		if x.Done == nil {
			m = x
		}
	case *messages.Destroy:
		if x.Done == nil {
			m = x
		}
	case *messages.SetMaxActive:
		if x.Done == nil {
			m = x
		}
	}
	if m == nil {
		return false
	}
	q, from := a.q, a.ctx.Sender()
	a.clerk.do(func() {
		t := &inTurn{Request: m, read: make(chan struct{})}
		q.sys.as.Root.RequestWithCustomSender(q.pid, t, from)
		select { // what was sent after it comes after it
		case <-t.read:
		case <-q.gone.done():
		}
	})
	return true
}

// inOrderOf reads it: now it is its turn.
func (a *queueActor) inOrderOf(m *inTurn) {
	defer close(m.read)
	a.receive(m.Request)
}
