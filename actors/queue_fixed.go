package actors

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// errMorePools: the queue has another number of fixed workers now.
var errMorePools = errors.New("cmwq: fixed workers must be made")

type (
	// fix asks a queue to have these private pools, or only to change their depth
	// if their number is right.
	fix struct {
		messages.Quiet
		n, depth int
		pools    []*pool
		done     chan<- error
	}
	// makePools asks the system for private pools.
	makePools struct {
		messages.Quiet
		n     int
		high  bool
		reply chan madePools
	}
	madePools struct {
		pools []*pool
		err   error
	}
	// freePools gives back private pools that have nothing.
	freePools struct {
		messages.Quiet
		pools []*pool
	}
)

// fixedPools makes private pools: all of them, or none.
func (s *System) fixedPools(n int, high bool) ([]*pool, error) {
	if n == 0 {
		return nil, nil
	}
	m := &makePools{n: n, high: high, reply: make(chan madePools, 1)}
	s.as.Root.Send(s.root, m)
	select {
	case r := <-m.reply:
		return r.pools, r.err
	case <-s.gone:
		return nil, messages.ErrStopped
	}
}

func (s *System) freePools(pools []*pool) {
	if len(pools) > 0 {
		s.as.Root.Send(s.root, &freePools{pools: pools})
	}
}

// makePools makes pools that nobody shares.
func (a *systemActor) makePools(ctx actor.Context, m *makePools) {
	if a.sys.ended.Load() {
		m.reply <- madePools{nil, messages.ErrStopped}
		return
	}
	var made []*pool
	for range m.n {
		a.fixed++
		p, err := a.pool(ctx, poolKey{kind: policy.Fixed, fixed: a.fixed, high: m.high}, cpuset.New(), a.view)
		if err != nil {
			a.release(made)
			m.reply <- madePools{nil, err}
			return
		}
		p.refs++
		made = append(made, p)
	}
	m.reply <- madePools{made, nil}
}

// onFix changes the fixed workers. Those that are there are retired, and end when
// they have run what they have; each of the new ones has a slot of its own.
func (a *queueActor) onFix(m *fix) {
	now := a.q.table.Load()
	have := now.private()
	if fl := a.q.flags.Load(); fl&(destroyed|systemStopped) != 0 {
		reply(m.done, why(fl))
		return
	}
	if m.n > 0 && m.pools == nil {
		if m.n != len(have) {
			reply(m.done, errMorePools)
			return
		}
		t := *now
		t.fixed = &fixed{shares: have, depth: int64(m.depth)}
		a.replace(&t)
		reply(m.done, nil)
		return
	}
	var f *fixed
	if m.n > 0 {
		f = &fixed{depth: int64(m.depth)}
	}
	for _, p := range m.pools {
		f.shares = append(f.shares, a.addFixed(p))
	}
	a.publish(&table{shares: now.shares, route: now.route, choice: now.choice, fixed: f})
	a.splitActive()
	reply(m.done, nil)
}

// addFixed makes the share of a private pool. Its slot is none of the ledger's.
func (a *queueActor) addFixed(p *pool) *share {
	l := a.ledger() // of those that are there
	s := a.newShare(p, 1)
	s.cpu, s.room = -1, &room{}
	if l != nil {
		l.Outside(s.id)
	}
	return s
}

// splitActive leaves the shared pools what the fixed workers do not take of
// max_active. A per-CPU queue's limit is each pool's, and stays.
func (a *queueActor) splitActive() {
	if l := a.ledger(); l != nil {
		a.relimit(l.SetMax(policy.SharedActive(a.limit, len(a.q.table.Load().private()))))
	}
}

// freeFixed gives back the private pools of a queue that ends.
func (a *queueActor) freeFixed() {
	for _, s := range a.shares {
		if s.room != nil {
			a.ctx.Send(a.q.sys.root, &freePools{pools: []*pool{s.pool}})
		}
	}
}
