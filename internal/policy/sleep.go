package policy

// Blocks: the worker said that it will block, or was found to hog; what it had
// not started was returned before (Return). If that leaves work to be started
// and someone to start it, the wake-up is credited to the share that blocked.
//
// Follows the kernel's wq_worker_sleeping: a worker out of the count changes
// nothing.
func (p *Pool) Blocks(w *Worker) {
	if w.share == nil || w.sleeping || p.kind == BH { // what a BH item may not do changes nothing
		return
	}
	w.sleeping = true
	w.trim()
	p.leaves(w)
}

// Wakes: the worker runs again. There is no wake-up of others and no waiting:
// more than the width may be runnable now, and the surplus is shed as leases end.
//
// Follows the kernel's wq_worker_running.
func (p *Pool) Wakes(w *Worker) {
	if w.share == nil || !w.sleeping {
		return
	}
	w.sleeping = false
	w.seen, w.awoke = 0, true // the hog's clock starts anew
	if !w.hog && !w.assumed && !w.intensive && !w.rescuer {
		p.count(w)
	}
}

// leaves takes a worker out of the count and credits the wake-up that follows.
func (p *Pool) leaves(w *Worker) {
	if !w.counted {
		return
	}
	p.uncount(w)
	if p.NeedMoreWorker() && len(p.idle) > 0 && p.kind != Unbound {
		w.share.Stats.Seldom().CMWakeup++
	}
}
