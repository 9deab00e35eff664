package policy

// Pool is the decision state of one worker pool. Its methods are the steps of
// the pool's conversation with its shell; each leaves the invariants true.
//
// The liveness invariant: work waits and running < Width implies that an idle
// worker can be leased at once (Offer), that workers have been asked for, or that
// AsideMax of them come back as soon as they have a CPU.
type Pool struct {
	kind  Kind // I:
	base  int  // P: width without learning: CPUs of the pod that are up, 1, or Unlimited
	procs int  // I: CPUs the process has, for unbound pools of short items

	waiting  int       // P: items on the worklist
	running  int       // P: counted workers, the kernel's nr_running
	idle     []*Worker // P: most recently idle last
	counted  []*Worker // P: the workers that running counts
	workers  int       // P: all of this pool
	creating int       // P: asked of the manager
	rescuers int       // P: that hold a lease; on top of workers
	aside    int       // P: workers that Emptied took out of the count, and that have had no CPU since
	trains   int       // P: leases of several shares that are out
	culling  bool      // P: the idle timer is armed
	down     bool      // P: its CPU is down: nothing is managed (POOL_DISASSOCIATED)
	era      int       // P: counts the times that it came up again

	needTick bool // P: a lease of several is out; its rest may have to come back
	learnt   learnt
	age      age
	dog      watchdog

	out []*Worker // P: reused by the steps that return workers
}

// NewPool gives an empty pool. procs is the number of CPUs the process has.
func NewPool(kind Kind, cpus, procs int) *Pool {
	p := &Pool{kind: kind, base: max(1, cpus), procs: max(1, procs)}
	switch kind {
	case Managed:
	case PerCPU, BH, Fixed:
		p.base = 1
	case Unbound:
		p.base = Unlimited
	}
	return p
}

// Kind is the pool's kind.
func (p *Pool) Kind() Kind { return p.kind }

// Waiting is the length of the worklist.
func (p *Pool) Waiting() int { return p.waiting }

// Running is the kernel's nr_running.
func (p *Pool) Running() int { return p.running }

// Idle is the number of idle workers.
func (p *Pool) Idle() int { return len(p.idle) }

// Workers is the number of workers the pool has.
func (p *Pool) Workers() int { return p.workers }

// Creating is the number of workers asked for and not there yet.
func (p *Pool) Creating() int { return p.creating }

// Width is how many workers may be runnable now: the base, the workers that are
// expected to block unseen, and what the age rule added.
func (p *Pool) Width() int {
	switch {
	case p.down:
		return Unlimited
	case p.kind != Managed:
		return p.base
	}
	return p.base + p.learnt.width() + p.age.width()
}

// NeedMoreWorker: should one more worker start? Asked by everyone but a running
// worker: work waits, and fewer than the width are runnable.
func (p *Pool) NeedMoreWorker() bool { return p.waiting > 0 && p.running < p.Width() }

// MayStartWorking: may a worker leave idle without a replacement being made?
func (p *Pool) MayStartWorking() bool { return len(p.idle) > 0 }

// KeepWorking: should the worker that just finished an item take another? It
// still counts itself, so up to the width may be running.
func (p *Pool) KeepWorking() bool { return p.waiting > 0 && p.running <= p.Width() }

// NeedToCreateWorker: is more work to be started than there are idle workers?
func (p *Pool) NeedToCreateWorker() bool { return p.NeedMoreWorker() && len(p.idle) == 0 }

// Arrive counts n items of one share in, in order. The first active of them go
// to the worklist's tail, the rest to the tail of the share's inactive list:
// nothing overtakes what is inactive already.
func (p *Pool) Arrive(s *Share, n int) (active int) {
	s.Epoch.arrive(n)
	if s.inactive == 0 {
		active = min(n, s.free())
	}
	s.inactive += n - active
	p.activate(s, active)
	return active
}

// Activate moves what free slots allow from the share's inactive list to the
// worklist's tail, and says how many items that is.
func (p *Pool) Activate(s *Share) int {
	n := min(s.inactive, s.free())
	if n > 0 {
		s.inactive -= n
		p.activate(s, n)
	}
	return n
}

func (p *Pool) activate(s *Share, n int) {
	if p.waiting == 0 && n > 0 {
		p.dog.progress++
	}
	s.active += n
	s.waiting += n
	p.waiting += n
	p.age.pushed += int64(n)
}

// Withdraw counts out an item that was taken off the worklist (onWorklist) or
// off the inactive list, to be cancelled or held.
func (p *Pool) Withdraw(s *Share, onWorklist bool) {
	if !onWorklist {
		s.inactive--
		return
	}
	s.active--
	s.waiting--
	p.waiting--
	p.age.popped++
}

// NeedTick says whether the ticker must be armed: work waits, or a lease of
// several is out. A BH or fixed pool has nothing that a tick could find, nor has a pool
// with nobody who runs or could: it waits for the manager, or for a sleeper.
func (p *Pool) NeedTick() bool {
	return p.kind != BH && p.kind != Fixed && (p.waiting > 0 && p.running+len(p.idle) > 0 || p.needTick)
}

// count and uncount keep running and the list of counted workers. While the CPU is
// down nobody counts, and afterwards nobody whose lease is older.
func (p *Pool) count(w *Worker) {
	if w.counted || p.down || w.era != p.era {
		return
	}
	w.counted = true
	w.slot = len(p.counted)
	p.counted = append(p.counted, w)
	p.running++
}

func (p *Pool) uncount(w *Worker) {
	if !w.counted {
		return
	}
	w.counted = false
	last := p.counted[len(p.counted)-1]
	p.counted[w.slot], last.slot = last, w.slot
	p.counted = p.counted[:len(p.counted)-1]
	p.running--
}

// Counted gives the workers that count as running; do not keep it.
func (p *Pool) Counted() []*Worker { return p.counted }
