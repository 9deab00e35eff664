package actors

import (
	"github.com/asynkron/protoactor-go/actor"
	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// systemActor is the parent of pools and queues. Its mailbox takes the place of
// the kernel's wq_pool_mutex.
type systemActor struct {
	sys    *System
	view   policy.View // what queues are allowed
	pools  map[poolKey]*pool
	fresh  []*pool        // pools made for the present request
	ending map[*pool]bool // used by nobody, and not empty yet
	queues map[*Queue]*queueEntry
	scoped scopesOf
	byName []*Queue // them, for snapshots; nil if there are others since the last
	frost  *frost   // nil: not frozen
	hogs   *policy.HogReports
	fixed  int         // private pools ever made
	making *queueActor // while it is spawned
	wishes wishes

	overruns *policy.HogReports       // items that went on after their deadline
	resumes  actor.SupervisorStrategy // I: of queues, for their rescuers
	own      *actor.Props             // I: of queues of the system's
	childs   *actor.Props             // I: of those that are children of others, but for what their spawner wants
	stays    map[*pool]bool           // standard ones: they stay when nobody uses them
	layouts  map[Kind]*layout         // of queues without wishes, in the view
	leaving  map[string]bool          // pools that were stopped, and are not gone
	settling []chan<- struct{}
}

func newSystemActor(s *System) *systemActor {
	t := s.opts.Topology
	a := &systemActor{
		sys: s, pools: map[poolKey]*pool{}, ending: map[*pool]bool{}, queues: map[*Queue]*queueEntry{}, leaving: map[string]bool{}, stays: map[*pool]bool{},
		view: policy.View{Topology: t, Unbound: t.CPUs(), Online: t.CPUs(), Scope: s.opts.Scope},
		hogs: policy.NewHogReports(s.opts.HogReport), overruns: policy.NewHogReports(1),
		resumes: actor.NewOneForOneStrategy(-1, 0, s.resume),
	}
	a.own = (&actor.Props{}).Configure(a.queueProps(false)...)
	a.childs = (&actor.Props{}).Configure(a.queueProps(true)...)
	return a
}

// poolKey tells pools apart: queues with equal keys share a pool.
type poolKey struct {
	kind    policy.Kind
	high    bool
	ordered bool // ordered queues do not wait behind others
	nice    int
	strict  bool
	pod     string // its CPUs
	cpus    string // those that its workers may visit, unless it is strict
	fixed   int    // number of a private pool; 0: it may be shared
}

type (
	whenStarted struct{ ready chan<- struct{} }
	newQueue    struct {
		name  string
		opts  QueueOptions
		props *actor.Props         // of a child; nil of a queue of the system's
		owner actor.SpawnerContext // of a child: whose child
		reply chan queueReply
	}
	queueReply struct {
		queue *Queue
		err   error
	}
	forgetQueue struct {
		messages.Quiet
		queue *Queue
	}
)

// Receive handles one request after the other.
func (a *systemActor) Receive(ctx actor.Context) {
	clear(a.fresh) // pools that have ended are not kept
	a.fresh = a.fresh[:0]
	switch m := ctx.Message().(type) {
	case *actor.Started:
		d := a.sys.delayer
		ctx.Spawn(a.sys.props(func() actor.Actor { return d }).
			Configure(actor.WithMailbox(func() actor.Mailbox { return &d.mb })))
	case *whenStarted:
		a.settling = append(a.settling, m.ready)
		a.settle()
	case *actor.Terminated:
		delete(a.leaving, m.Who.Id)
		a.settle()
	case *newQueue:
		q, err := a.newQueue(ctx, m)
		m.reply <- queueReply{q, err}
	case *freezeMsg:
		m.reply <- a.freeze()
	case *thawMsg:
		a.thaw()
		m.reply <- struct{}{}
	case *born:
		a.born(m)
	case *makePools:
		a.makePools(ctx, m)
	case *freePools:
		a.release(m.pools)
	case *setAttrs:
		a.setAttrs(ctx, m)
	case *procsChanged:
		a.onProcs(ctx, m)
	case *setView:
		a.setView(ctx, m)
	case *poolLeft:
		a.poolLeft(m)
	case *poolEmpty:
		a.poolEmpty(ctx, m.pool)
	case *closePools:
		a.closePools(m)
	case *listAll:
		m.reply <- a.list()
	case *hogReport:
		a.onHog(m)
	case *observerFailed:
		a.sys.log.Error("an observer panicked, and is told nothing more", "observer", m.who, "panic", m.value, "stack", m.stack)
	case *overrun:
		a.onOverrun(m)
	case *stallReport:
		a.onStall(m)
	case *forgetQueue:
		if e := a.queues[m.queue]; e != nil {
			delete(a.queues, m.queue)
			a.byName = nil
			a.release(e.refs)
		}
	case *actor.Stopped:
		close(a.sys.gone)
	}
}

func (a *systemActor) newQueue(ctx actor.Context, m *newQueue) (*Queue, error) {
	s, name, opts := a.sys, m.name, m.opts
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
	if opts.PowerEfficient && s.opts.PowerEfficient && opts.Kind == PerCPU {
		opts.Kind = Unbound
	}
	limit, clamped := policy.ClampMaxActive(opts.MaxActive)
	if clamped {
		s.log.Warn("max_active out of range", "queue", name, "asked", opts.MaxActive, "is", limit)
	}
	if opts.Kind == BH {
		limit = policy.Unlimited
	}
	q := &Queue{
		sys: s, name: name, opts: a.wishes.shared(opts), child: m.props != nil,
		bound: newBound(opts.Bound, opts.WhenFull), sup: newSupervision(opts.Strategy),
	}
	q.home.Owner = q
	q.observe()
	if opts.Paced {
		q.gets().bucket.Store(rate.NewLimiter(opts.PerSecond, opts.Burst))
	}
	attrs := opts.Attrs
	q.attrs.Store(&q.opts.Attrs)
	by, err := a.makeFor(ctx, q, attrs)
	if err != nil {
		return nil, err
	}
	a.queues[q] = &queueEntry{refs: by.pools}
	qa := newQueueActor(q, limit, by)
	if err := a.spawnQueue(ctx, qa, m); err != nil {
		a.unmake(q, by)
		return nil, err
	}
	a.keep(opts, attrs, by.pools)
	s.queues.Store(name, q)
	a.byName = nil
	return q, nil
}
