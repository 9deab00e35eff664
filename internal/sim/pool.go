package sim

import (
	"slices"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// pool is a shell around the policy, as the pool's actor is. It keeps the lists
// that the policy counts.
type pool struct {
	*cpus
	p        *policy.Pool
	hog      time.Duration
	create   time.Duration
	noGauges bool

	worklist []*item
	queues   []*queue
	workers  map[*policy.Worker]*worker
	armed    bool // the tick

	ended  int
	burned time.Duration
	trace  Trace
}

// queue is a queue's share of the pool.
type queue struct {
	*Queue
	s        *policy.Share
	inactive []*item
	since    time.Duration // congested since
	spans    []Span
}

func (p *pool) emit(it *item, kind EventKind) {
	p.trace.Events = append(p.trace.Events, Event{p.now - boot, it.rank, it.Name, kind})
}

// arrive queues one item.
func (p *pool) arrive(it *item) {
	if p.p.Arrive(it.q.s, 1) == 1 {
		p.worklist = append(p.worklist, it)
		p.emit(it, Activate)
	} else {
		it.q.inactive = append(it.q.inactive, it)
	}
	p.turn()
}

// sleeps and wakes are what a worker says around a declared sleep.
func (p *pool) sleeps(w *worker) {
	p.takeBack(w)
	p.p.Blocks(w.Worker)
	p.turn()
}

func (p *pool) wakes(w *worker) {
	p.p.Wakes(w.Worker)
	p.turn()
}

// done ends a lease.
func (p *pool) done(w *worker) {
	q, ran := w.q, w.next
	p.takeBack(w)
	q.s.Epoch.Finish(q.s.Epoch.Now(), ran)
	if p.p.Done(w.Worker, policy.Report{Ran: ran, Busy: w.busy(), End: p.now}) {
		p.after(policy.IdleTimeout, p.cull)
	}
	p.activate(q)
	p.turn()
}

// takeBack puts the unstarted rest of a lease at the heads of its lists again.
func (p *pool) takeBack(w *worker) {
	active, riders := w.retract()
	q := w.q
	p.worklist = slices.Concat(active, p.worklist)
	q.inactive = slices.Concat(riders, q.inactive)
	p.p.Return(w.Worker, len(active), len(riders))
	p.activate(q)
}

func (p *pool) activate(q *queue) {
	n := p.p.Activate(q.s)
	for _, it := range q.inactive[:n] {
		p.emit(it, Activate)
	}
	p.worklist = append(p.worklist, q.inactive[:n]...)
	q.inactive = q.inactive[n:]
}

// created takes in workers that were asked for.
func (p *pool) created(n int) {
	for range n {
		p.trace.Workers++
		w := newWorker(p, p.trace.Workers)
		p.workers[w.Worker] = w
		if p.p.Created(w.Worker, p.now) {
			p.after(policy.IdleTimeout, p.cull)
		}
	}
	p.turn()
}

func (p *pool) cull() {
	stop, again := p.p.Cull(p.now)
	for _, w := range stop {
		delete(p.workers, w)
	}
	if again > 0 {
		p.after(again, p.cull)
	}
	p.turn()
}
