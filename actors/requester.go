package actors

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// requester is the process that takes the answers to a worker's requests. It stays
// registered from one to the next: to register one for each request would take as
// long as all the rest. Each request has a number, which the sender's PID bears and
// the answer brings back, so that one that comes late meets nobody.
type requester struct {
	as    *actor.ActorSystem // I:
	id    string             // I:
	last  uint32             // whose it is: number of the last request
	want  atomic.Uint32      // A: number of the request that waits, 0 if none does
	got   chan any           // its answer; room for one
	open  bool               // whose it is: the request is neither read nor given up
	timer *time.Timer        // whose it is: when to look whether the actor is still there
}

func newRequester(as *actor.ActorSystem) *requester {
	a := &requester{as: as, got: make(chan any, 1)}
	for ok := false; !ok; { // a name that is taken is somebody's mischief
		a.id = "cmwq-request" + as.ProcessRegistry.NextId()
		_, ok = as.ProcessRegistry.Add(a, a.id)
	}
	return a
}

func (a *requester) close() { a.as.ProcessRegistry.Remove(a.as.NewLocalPID(a.id)) }

// SendUserMessage is an answer, or that of the dead letters.
func (a *requester) SendUserMessage(pid *actor.PID, msg any) {
	a.answer(pid, actor.UnwrapEnvelopeMessage(msg))
}

// SendSystemMessage is protoactor's word that an actor has ended.
func (a *requester) SendSystemMessage(pid *actor.PID, msg any) {
	if _, ok := msg.(*actor.Terminated); ok {
		a.answer(pid, &actor.DeadLetterResponse{})
	}
}

// Stop completes actor.Process: only its worker ends it.
func (a *requester) Stop(*actor.PID) {}

// answer passes on what answers the request that waits; all else comes too late, or
// twice.
func (a *requester) answer(pid *actor.PID, msg any) {
	if n := pid.GetRequestId(); n != 0 && a.want.CompareAndSwap(n, 0) {
		a.got <- msg
	}
}

// send asks.
func (a *requester) send(to *actor.PID, msg any) (self *actor.PID) {
	if a.last++; a.last == 0 {
		a.last++
	}
	self = a.as.NewLocalPID(a.id)
	self.RequestId = a.last
	a.open = true
	a.want.Store(a.last)
	a.as.Root.RequestWithCustomSender(to, msg, self)
	return self
}

// askLook is how long an answer may take before it is looked whether the actor is
// still there: one that ends with the request in its mailbox does not say so.
const askLook = 10 * time.Millisecond

// wait waits for the answer.
func (a *requester) wait(ctx context.Context, to, self *actor.PID) (any, error) {
	if a.timer == nil {
		a.timer = time.NewTimer(askLook)
	} else {
		a.timer.Reset(askLook)
	}
	defer a.timer.Stop()
	for {
		select {
		case m := <-a.got:
			return a.read(to, m)
		case <-a.timer.C:
			if end := a.watch(to, self); end != nil {
				defer end()
			}
		case <-ctx.Done():
			if a.forget() {
				return nil, context.Cause(ctx)
			}
			return a.read(to, <-a.got) // it is about to be here
		}
	}
}

// forget gives up the request, unless it is answered.
func (a *requester) forget() bool {
	a.open = !a.want.CompareAndSwap(a.last, 0)
	return !a.open
}

// watch has protoactor tell when the actor ends. Who is not there any more has not
// answered, and will not. A process that is no actor cannot be watched.
func (a *requester) watch(to, self *actor.PID) (end func()) {
	p, ok := a.as.ProcessRegistry.Get(to)
	if !ok {
		a.answer(self, &actor.DeadLetterResponse{})
		return nil
	}
	if _, local := p.(*actor.ActorProcess); !local && to.Address == self.Address {
		return nil
	}
	p.SendSystemMessage(to, &actor.Watch{Watcher: self})
	return func() { p.SendSystemMessage(to, &actor.Unwatch{Watcher: self}) }
}

// read is the end of the request: the caller has received m from got.
func (a *requester) read(to *actor.PID, m any) (any, error) {
	a.open = false
	if _, dead := m.(*actor.DeadLetterResponse); dead {
		return nil, fmt.Errorf("%w: %s", messages.ErrNoActor, to.Id)
	}
	return m, nil
}
