package actors

import (
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// rescuer is the actor behind a queue's promise to get on when no worker can be
// made. It and its worker are made with the queue, when memory is still to be
// had. Its mailbox takes the place of the kernel's mayday lock; it lends its one
// worker to one pool at a time, so a pool that calls while the worker is in
// another waits.
type rescuer struct {
	queue *Queue                    // I:
	pid   atomic.Pointer[actor.PID] // A: nil until it has started
	actor *actor.PID                // Q: the same, as soon as it was spawned
	w     *worker                   // I: lent to the pool that is helped
	list  policy.Maydays[*share]    // R: who calls; R is the rescuer
	quits quitting                  // R: the queue is abandoned
}

// newRescuer makes the rescuer of a queue, and its worker.
func newRescuer(q *Queue) (*rescuer, error) {
	if err := q.sys.fault("rescuer", q.name); err != nil {
		return nil, err
	}
	return &rescuer{queue: q, w: newRescueWorker(q.sys, "kworker/R-"+q.name)}, nil
}

// newRescueWorker makes a worker that belongs to no pool.
func newRescueWorker(sys *System, name string) *worker {
	w := &worker{name: name}
	w.box.label = sys.label(name)
	w.noted.Init(w)
	w.ctx = messages.NewContext(w)
	w.leaves = messages.NewControl(&leaving{worker: w})
	return w
}

// Receive handles one message after the other.
func (r *rescuer) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		r.start(ctx)
	case *messages.Mayday:
		r.list.Call(m.Share.(*share))
		r.turn()
	case *messages.Rescued:
		r.list.Left(m.Needs, m.May)
		r.turn()
	case *rescuerQuits:
		r.quits = wantsToQuit
		r.turn()
	case *actor.Stopped:
		r.queue.sys.disp.workers(-1)
	}
}

func (r *rescuer) start(ctx actor.Context) {
	sys := r.queue.sys
	props := sys.props(func() actor.Actor { return r.w }).
		Configure(actor.WithMailbox(func() actor.Mailbox { return &r.w.box }))
	r.w.pid = ctx.SpawnPrefix(props, r.w.name)
	sys.disp.workers(1)
	r.created()
	r.pid.Store(ctx.Self())
}

// quitting is how far a rescuer is with its end.
type quitting uint8

const (
	stays quitting = iota
	wantsToQuit
	quit // nobody has the worker, and nobody gets it
)

// quit tells the queue, once, that the worker is back.
func (r *rescuer) quit() {
	if r.quits == wantsToQuit && !r.list.Helping() {
		r.quits = quit
		r.queue.tell(&rescuerQuits{})
	}
}

// turn lends the worker to who has called first. A pool that is gone has nothing
// to be rescued.
func (r *rescuer) turn() {
	for {
		if r.quits != stays {
			r.quit()
			return
		}
		h, ok := r.list.Next()
		if !ok {
			return
		}
		if r.queue.post(h.Who, &messages.Rescue{Share: h.Who, Worker: r.w, Others: h.Others, Again: h.Again}) {
			return
		}
		r.list.Left(false, false)
	}
}

// startRescuer spawns the queue's rescuer, if it has one, as its child.
func (a *queueActor) startRescuer() {
	if r := a.q.rescuer; r != nil {
		r.actor = a.ctx.SpawnPrefix(a.q.sys.props(func() actor.Actor { return r }).
			Configure(actor.WithSupervisor(actor.NewOneForOneStrategy(-1, 0, a.q.sys.resume))), "rescuer/"+a.q.name)
	}
}

// mayday calls the share's rescuer, and says whether there is one to hear it.
func (p *pool) mayday(s *share) bool {
	pid := s.queue.rescuer.pid.Load()
	if pid != nil {
		p.ctx.Send(pid, &messages.Mayday{Share: s})
	}
	return pid != nil
}
