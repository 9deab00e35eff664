package actors

import "github.com/cmwq/cmwq/internal/policy"

// lends says whether max_active is one limit for all the queue's shares, or for those
// of a memory node; that of a per-CPU queue is each pool's.
func (a *queueActor) lends() bool { return !a.q.opts.Kind.perCPU() }

// divide gives the first shares of a queue their slots, before anybody can use them.
func (a *queueActor) divide(shares []*share) {
	if !a.lends() || a.alone(shares) {
		return
	}
	l := a.ledger()
	for i, s := range shares {
		s.borrows = len(shares) > 1
		s.pol.SetLimit(l.Held(i))
	}
}

// alone says whether one share has all of max_active, and nobody to lend it to.
func (a *queueActor) alone(shares []*share) bool {
	return len(shares) == 1 && a.q.opts.MinActive == 0
}

// ledger gives what lends slots to the queue's shares, nil if nobody does. Most queues
// have one share, which holds all slots from the start: they get a ledger, with that in
// it, when something is to change. It is a good part of what a queue weighs.
func (a *queueActor) ledger() *policy.Nodes {
	if a.slots == nil && a.lends() {
		nodes := make([]int, len(a.shares))
		for i, s := range a.shares {
			nodes[i] = s.pool.node
		}
		a.slots = policy.NewNodes(a.limit, a.q.opts.MinActive, a.cpus, nodes)
		a.tellDivision()
	}
	return a.slots
}

func (a *queueActor) setCPUs(cpus map[int]int) {
	if a.cpus = cpus; a.slots != nil {
		a.relimit(a.slots.SetCPUs(cpus))
	}
}

// relimit is order, after the limits have changed.
func (a *queueActor) relimit(orders []policy.Order) {
	a.tellDivision()
	a.order(orders)
	for _, s := range a.shares {
		if s.room == nil && a.q.table.Load() != nil {
			a.q.post(s, &look{share: s})
		}
	}
}

func (a *queueActor) tellDivision() {
	l := a.slots.Division()
	a.q.gets().division.Store(&l)
}
