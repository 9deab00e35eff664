package actors

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// queueEntry is what the system's actor knows of a queue.
type queueEntry struct {
	refs []*pool // pools that it holds, one entry a share
}

type (
	setAttrs struct {
		messages.Quiet
		queue  *Queue
		change func(*policy.Attrs)
		done   chan<- error
	}
	setView struct {
		messages.Quiet
		change func(*policy.View)
		reply  chan<- viewReply
	}
	viewReply struct {
		changed map[*Queue]<-chan error // told when the queue has its new pools
		err     error
	}
	// poolLeft: a queue has one share less on a pool.
	poolLeft struct {
		messages.Quiet
		queue *Queue
		pool  *pool
	}
)

// served is what serves a queue: pools, and which of them which CPU.
type served struct {
	pools  []*pool
	route  []uint16
	choice *choice
	cpus   map[int]int // of each node, that may be used
}

// serve gives the pools that serve a queue, makes those that do not exist yet, and
// holds each once. It holds none if one cannot be made.
func (a *systemActor) serve(ctx actor.Context, opts QueueOptions, attrs policy.Attrs, v policy.View) (s served, err error) {
	l := a.layout(opts, attrs, v)
	key := l.key
	key.high, key.nice = opts.HighPri, attrs.Nice
	for i, pod := range l.pods {
		key.pod = l.names[i]
		p, err := a.pool(ctx, key, pod, v)
		if err != nil {
			a.release(s.pools)
			return served{}, err
		}
		p.refs++
		s.pools = append(s.pools, p)
	}
	s.route, s.cpus, s.choice = l.route, l.cpus, l.choice
	return s, nil
}

// release lets go of pools; those that nobody holds end when they are empty. The
// pools of a CPU stay, and so do those of queues that want nothing special: there will
// be others.
func (a *systemActor) release(pools []*pool) {
	for _, p := range pools {
		if p.refs--; p.refs == 0 && p.cpu < 0 && !a.stays[p] {
			a.endPool(p)
		}
	}
}

// keep has the pools of a queue that wants nothing special stay.
func (a *systemActor) keep(opts QueueOptions, attrs policy.Attrs, pools []*pool) {
	if a.standard(opts, attrs) {
		for _, p := range pools {
			a.stays[p] = true
		}
	}
}

// standard says whether the pools of a queue are what most queues want.
func (a *systemActor) standard(opts QueueOptions, attrs policy.Attrs) bool {
	return !opts.HighPri && attrs.Nice == 0 && !attrs.Strict && attrs.Scope == topology.ScopeDefault && attrs.CPUs.IsEmpty()
}

// restandard says which pools are standard from now on, and ends the others that nobody
// uses.
func (a *systemActor) restandard(next map[*Queue]served) {
	clear(a.stays)
	for q, s := range next {
		a.keep(*q.opts, q.Attrs(), s.pools)
	}
	for _, p := range a.pools {
		if p.refs == 0 && p.cpu < 0 && !a.stays[p] {
			a.endPool(p)
		}
	}
}

func (a *systemActor) endPool(p *pool) {
	delete(a.pools, p.key)
	delete(a.stays, p)
	a.ending[p] = true
	p.mb.post(&messages.NewControl(endPool{}).Item)
}

func (a *systemActor) setAttrs(ctx actor.Context, m *setAttrs) {
	if a.sys.ended.Load() {
		reply(m.done, messages.ErrStopped)
		return
	}
	e := a.queues[m.queue]
	if e == nil {
		reply(m.done, messages.ErrDestroyed)
		return
	}
	attrs := m.queue.Attrs()
	m.change(&attrs)
	s, err := a.serve(ctx, *m.queue.opts, attrs, a.view)
	if err != nil {
		reply(m.done, err)
		return
	}
	a.keep(*m.queue.opts, attrs, s.pools)
	m.queue.attrs.Store(&attrs)
	a.reshape(ctx, m.queue, e, s, m.done)
}

func (a *systemActor) reshape(ctx actor.Context, q *Queue, e *queueEntry, s served, done chan<- error) {
	e.refs = append(e.refs, s.pools...)
	ctx.Send(q.pid, &reshape{pools: s.pools, route: s.route, choice: s.choice, cpus: s.cpus, done: done})
}

// setView prepares all queues before it changes any: if that fails nothing changed.
// A queue that is made meanwhile comes before or after. (report R20)
func (a *systemActor) setView(ctx actor.Context, m *setView) {
	if a.sys.ended.Load() {
		m.reply <- viewReply{err: messages.ErrStopped}
		return
	}
	v := a.view
	m.change(&v)
	a.layouts = nil
	next := map[*Queue]served{}
	for q := range a.queues {
		s, err := a.serve(ctx, *q.opts, q.Attrs(), v)
		if err != nil {
			for _, s := range next {
				a.release(s.pools)
			}
			a.layouts = nil
			m.reply <- viewReply{err: err}
			return
		}
		next[q] = s
	}
	was := a.view
	a.view = v
	a.restandard(next)
	a.hotplug(was, v)
	r := viewReply{changed: map[*Queue]<-chan error{}}
	for q, s := range next {
		done := make(chan error, 1)
		r.changed[q] = done
		a.reshape(ctx, q, a.queues[q], s, done)
	}
	m.reply <- r
}

func (a *systemActor) poolLeft(m *poolLeft) {
	e := a.queues[m.queue]
	if e == nil {
		return // it has ended, and let go of all
	}
	if i := slices.Index(e.refs, m.pool); i >= 0 {
		e.refs = slices.Delete(e.refs, i, i+1)
		a.release([]*pool{m.pool})
	}
}
