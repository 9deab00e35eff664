package actors

// leavePool reports a rescuer's lease done, after everything else that it has
// said to this pool, and as the last: whoever reads it may give the worker to
// another pool.
func (w *worker) leavePool() {
	p, started := w.pool, w.report.Ran > 0
	if _, ok := p.mb.post(&w.leaves.Item); !ok && started {
		p.sys.left.Add(-1) // the pool has stopped
		p.unhold()
	}
}

// Rescuer says that the worker is its queue's rescuer.
func (w *worker) Rescuer() bool { return w.leaves != nil }
