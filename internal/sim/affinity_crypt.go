package sim

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/topology"
)

// verifyEvery turns the policy's invariants are checked: with a thousand workers
// that takes longer than a turn.
const verifyEvery = 1000

// crypt is the unbound queue that encrypts: a pool for each pod of the scope.
type crypt struct {
	*scheduler
	pools []*cryptPool
	pool  []*cryptPool // by the machine's pod
	err   error
}

type cryptPool struct {
	c       *crypt
	p       *policy.Pool
	s       *policy.Share
	pod     int  // workers belong there; -1: anywhere
	steal   bool // they may be taken to another pod
	list    []cryptItem
	workers map[*policy.Worker]*cryptWorker
	moved   int64
	turns   int
}

type cryptItem struct {
	from int // pod it was queued in
	done func()
}

type cryptWorker struct {
	task
	*policy.Worker
	pool  *cryptPool
	item  cryptItem
	start time.Duration
	begun bool
}

func newCrypt(s *scheduler, a *Affinity) *crypt {
	c := &crypt{scheduler: s}
	machinePods := len(s.waiting) - 1
	for i, pod := range a.Topology.Pods(a.Scope) {
		cpus := pod.CPUs.List()
		p := &cryptPool{
			c: c, pod: -1, workers: map[*policy.Worker]*cryptWorker{},
			p: policy.NewPool(policy.Unbound, len(cpus), a.Topology.NumCPU()),
			s: policy.NewShare(policy.MaxActiveLimit, false),
		}
		if len(a.Topology.Pods(a.Scope)) == machinePods {
			p.pod, p.steal = i, !a.Strict
		}
		c.pools = append(c.pools, p)
	}
	for pod := range machinePods {
		cpu := a.Topology.Pods(topology.ScopeCache)[pod].CPUs.List()[0]
		c.pool = append(c.pool, c.pools[a.Topology.PodOf(a.Scope, cpu)])
	}
	return c
}

// queue queues a block that is issued in a pod; done is told when it is encrypted.
func (c *crypt) queue(pod int, done func()) {
	p := c.pool[pod]
	p.list = append(p.list, cryptItem{pod, done})
	p.p.Arrive(p.s, 1)
	p.turn()
}

// turn starts what may start; a worker that is missing is made at once.
func (p *cryptPool) turn() {
	for {
		for len(p.list) > 0 {
			o, ok := p.p.Offer(p.s)
			if !ok {
				break
			}
			p.p.Lease(o.Worker, p.s, 1, 0)
			w := p.workers[o.Worker]
			w.item, p.list = p.list[0], p.list[1:]
			w.begun = false
			if p.pod >= 0 && w.last >= 0 && w.last != p.pod {
				p.moved++ // it ran outside, and wakes up in its pod
			}
			p.c.ready(&w.task)
		}
		n := p.p.WorkersWanted()
		if n == 0 {
			break
		}
		for range n {
			w := &cryptWorker{Worker: &policy.Worker{ID: len(p.workers)}, pool: p}
			w.pod, w.steal, w.last = p.pod, p.steal, -1
			w.next = w.run
			p.workers[w.Worker] = w
			p.p.Created(w.Worker, p.c.now)
		}
	}
	if p.turns++; p.turns%verifyEvery == 0 && p.c.err == nil {
		p.c.err = p.p.Verify(p.s)
	}
}

// run begins the worker's item, or ends it.
func (w *cryptWorker) run() (time.Duration, bool) {
	p := w.pool
	if !w.begun {
		w.begun, w.start = true, p.c.now
		d := p.c.model.Crypt
		if w.cpu.pod != w.item.from {
			d += time.Duration(float64(d) * p.c.model.Cold)
		}
		return d, true
	}
	done := w.item.done
	p.s.Epoch.Finish(p.s.Epoch.Now(), 1)
	p.p.Done(w.Worker, policy.Report{Ran: 1, Busy: p.c.now - w.start, End: p.c.now})
	w.last = w.cpu.pod
	p.p.Activate(p.s)
	p.turn()
	done()
	return 0, false
}

func (c *crypt) repatriated() (n int64) {
	for _, p := range c.pools {
		n += p.moved
	}
	return n
}
