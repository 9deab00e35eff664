package actors

import (
	"context"
	"maps"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// systemActor is the parent of pools and queues. Its mailbox takes the place of
// the kernel's wq_pool_mutex.
type systemActor struct {
	sys   *System
	pools map[poolKey]*pool
	fresh []poolKey // pools made for the queue that is being made
	frost *frost    // nil: not frozen
	hogs  *policy.HogReports
	fixed int // private pools ever made
}

// poolKey tells pools apart: queues with equal keys share a pool.
type poolKey struct {
	kind policy.Kind
	pod  int // number of its CPU, for per-CPU and BH pools
	high bool
	all  bool // one pool for every CPU: ordered queues
}

type (
	whenStarted struct{ ready chan<- struct{} }
	newQueue    struct {
		name  string
		opts  QueueOptions
		reply chan queueReply
	}
	queueReply struct {
		queue *Queue
		err   error
	}
	forgetQueue struct{ queue *Queue }
)

// Receive handles one request after the other.
func (a *systemActor) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		d := a.sys.delayer
		ctx.Spawn(a.sys.props(func() actor.Actor { return d }).
			Configure(actor.WithMailbox(func() actor.Mailbox { return &d.mb })))
	case *whenStarted:
		close(m.ready)
	case *newQueue:
		q, err := a.newQueue(ctx, m.name, m.opts)
		m.reply <- queueReply{q, err}
	case *freezeMsg:
		m.reply <- a.freeze()
	case *thawMsg:
		a.thaw()
		m.reply <- struct{}{}
	case *makePools:
		a.makePools(ctx, m)
	case *freePools:
		a.freePools(ctx, m.pools)
	case *closePools:
		a.closePools(m)
	case *listPools:
		m.reply <- slices.Collect(maps.Values(a.pools))
	case *hogReport:
		a.onHog(m)
	case *stallReport:
		a.onStall(m)
	case *forgetQueue:
		names := maps.Clone(*a.sys.queues.Load())
		if names[m.queue.name] == m.queue {
			delete(names, m.queue.name)
			a.sys.queues.Store(&names)
		}
	case *actor.Stopped:
		close(a.sys.gone)
	}
}

func (a *systemActor) newQueue(ctx actor.Context, name string, opts QueueOptions) (*Queue, error) {
	s := a.sys
	if s.ended.Load() {
		return nil, messages.ErrStopped
	}
	if name == "" {
		return nil, messages.ErrName
	}
	if s.Queue(name) != nil {
		return nil, messages.ErrExists
	}
	if opts.Kind == Ordered {
		opts.MaxActive = 1
	}
	limit, clamped := policy.ClampMaxActive(opts.MaxActive)
	if clamped {
		s.log.Warn("max_active out of range", "queue", name, "asked", opts.MaxActive, "is", limit)
	}
	if opts.Kind == BH {
		limit = policy.Unlimited
	}
	q := &Queue{sys: s, name: name, opts: opts, gone: make(chan struct{})}
	q.home.Owner = q
	q.max.Store(int64(limit))
	q.ctx, q.cancel = context.WithCancelCause(s.ctx)
	pools, route, err := a.makeFor(ctx, q)
	if err != nil {
		return nil, err
	}
	qa := newQueueActor(q, limit, pools, route)
	q.pid = ctx.SpawnPrefix(s.props(func() actor.Actor { return qa }), "queue/"+name)
	names := maps.Clone(*s.queues.Load())
	names[name] = q
	s.queues.Store(&names)
	return q, nil
}

// poolsFor gives the pools that serve a queue, makes those that do not exist
// yet, and says which serves which CPU.
func (a *systemActor) poolsFor(ctx actor.Context, opts QueueOptions) (pools []*pool, route []uint16, err error) {
	t := a.sys.opts.Topology
	cpus := t.CPUs().List()
	route = make([]uint16, cpus[len(cpus)-1]+1)
	for i := range route {
		route[i] = noShare
	}
	kind, scope := policy.Managed, a.sys.opts.Scope
	switch opts.Kind {
	case Managed:
	case PerCPU:
		kind, scope = policy.PerCPU, topology.ScopeCPU
	case Unbound:
		kind = policy.Unbound
	case Ordered:
		kind, scope = policy.Unbound, topology.ScopeSystem
	case BH:
		kind, scope = policy.BH, topology.ScopeCPU
	}
	for i, pod := range t.Pods(scope) {
		members := pod.CPUs.List()
		key := poolKey{kind: kind, pod: i, high: opts.HighPri, all: opts.Kind == Ordered}
		p, err := a.pool(ctx, key, members)
		if err != nil {
			return nil, nil, err
		}
		for _, cpu := range members {
			route[cpu] = uint16(len(pools))
		}
		pools = append(pools, p)
	}
	return pools, route, nil
}
