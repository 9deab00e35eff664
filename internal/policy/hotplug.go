package policy

// Disassociate: the pool's CPU went down. Its workers serve the list somewhere
// else, without concurrency management: nobody is counted, and whatever waits may
// start. It gives the workers whose leases hold items that have not started, to be
// returned: nothing waits behind another any more.
//
// Follows the kernel's unbind_worker.
func (p *Pool) Disassociate() (back []*Worker) {
	p.out = p.out[:0]
	if p.down {
		return nil
	}
	p.down = true
	for len(p.counted) > 0 {
		w := p.counted[len(p.counted)-1]
		p.uncount(w)
		p.out = append(p.out, w)
	}
	return p.out
}

// Rebind: the CPU is up again. Workers that hold a lease stay out of the count
// until it ends, also if they sleep and wake meanwhile; those that begin one count.
//
// Follows the kernel's rebind_workers: WORKER_REBOUND.
func (p *Pool) Rebind() {
	if p.down {
		p.down = false
		p.era++
	}
}

// Disassociated says whether the pool's CPU is down.
func (p *Pool) Disassociated() bool { return p.down }

// SetCPUs changes how many CPUs of a managed pool's pod are up.
func (p *Pool) SetCPUs(n int) {
	if p.kind == Managed {
		p.base = max(1, n)
	}
}
