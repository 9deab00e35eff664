package sim

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// placePool is one pool of the queue, and the queue's share of it.
type placePool struct {
	*place
	p       *policy.Pool
	s       *policy.Share
	home    *grove
	list    []placeItem
	workers map[*policy.Worker]*placeWorker
	busy    time.Duration // it has its hands full until then
	turns   int
}

type placeItem struct {
	from   *hardCPU
	queued time.Duration
	done   func()
}

type placeWorker struct {
	task
	*policy.Worker
	pool  *placePool
	item  placeItem
	start time.Duration
	begun bool
}

// noLimit is of max_active: a queue's limit is for all its pools together, and would
// bind where there is one pool and not where there are many. The load is bounded.
const noLimit = 1 << 30

func newPlacePool(p *place, home *grove, cpus int) *placePool {
	return &placePool{
		place: p, home: home, workers: map[*policy.Worker]*placeWorker{},
		p: policy.NewPool(policy.Unbound, cpus, p.e.Topology.NumCPU()),
		s: policy.NewShare(noLimit, false),
	}
}

// queue queues an item from a CPU; its pool reads it when it has read those before.
func (q *placePool) queue(from *hardCPU, done func()) {
	it := placeItem{from, q.now, done}
	if q.e.Load.Turn == 0 {
		q.arrive(it)
		return
	}
	q.busy = max(q.busy, q.now) + q.e.Load.Turn
	q.after(q.busy-q.now, func() { q.arrive(it) })
}

func (q *placePool) arrive(it placeItem) {
	q.list = append(q.list, it)
	q.p.Arrive(q.s, 1)
	q.turn()
}

// turn starts what may start; a worker that is missing is made at once.
func (q *placePool) turn() {
	for {
		for len(q.list) > 0 {
			o, ok := q.p.Offer(q.s)
			if !ok {
				break
			}
			q.p.Lease(o.Worker, q.s, 1, 0)
			w := q.workers[o.Worker]
			w.item, q.list, w.begun = q.list[0], q.list[1:], false
			q.ready(&w.task)
		}
		n := q.p.WorkersWanted()
		if n == 0 {
			break
		}
		for range n {
			w := &placeWorker{Worker: &policy.Worker{ID: len(q.workers)}, pool: q}
			w.home, w.steal, w.next = q.home, !q.e.Strict && q.home.up != nil, w.run
			q.workers[w.Worker] = w
			q.p.Created(w.Worker, q.now)
		}
	}
	if q.turns++; q.turns >= max(verifyEvery, len(q.workers)) && q.err == nil { // it looks at each worker
		q.turns = 0
		q.err = q.p.Verify(q.s)
	}
}

// run begins the worker's item, or ends it.
func (w *placeWorker) run() (time.Duration, bool) {
	q := w.pool
	if !w.begun {
		w.begun, w.start = true, q.now
		return q.cost(w.cpu, w.item.from), true
	}
	it := w.item
	q.waits = append(q.waits, q.now-it.queued)
	if w.cpu.pod != it.from.pod {
		q.away++
	}
	q.done++
	q.s.Epoch.Finish(q.s.Epoch.Now(), 1)
	q.p.Done(w.Worker, policy.Report{Ran: 1, Busy: q.now - w.start, End: q.now})
	q.p.Activate(q.s)
	q.turn()
	it.done()
	return 0, false
}

// cost is the time of an item, the longer the farther its data is.
func (p *place) cost(x, from *hardCPU) time.Duration {
	d := p.e.Load.Work
	extra := 0.0
	if x.pod != from.pod {
		extra = p.e.Load.Cold
		if p.e.Topology.Node(x.id) != p.e.Topology.Node(from.id) {
			extra = max(extra, p.e.Load.Far)
		}
	}
	return d + time.Duration(float64(d)*extra)
}
