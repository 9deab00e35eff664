package actors

import "time"

// train is what a worker and its pool know of a lease of several shares (see package
// policy). Its items are those of the lease.
type train struct {
	shares []*share        // P before the lease is sent: whose each item is; empty if the lease is of one share
	epochs []uint32        // P: flush epochs of the items
	whole  bool            // P: nobody has taken it apart
	times  bool            // P before the lease is sent: its items are measured, each
	ends   []time.Duration // W before Done, P after: when each ended, less declared sleeps
}

// ended forgets a train whose lease is done.
func (t *train) ended(last *share) {
	if len(t.shares) > 0 {
		last.countFailed()
		clear(t.shares)
		t.shares, t.epochs, t.ends = t.shares[:0], t.epochs[:0], t.ends[:0]
	}
}

// attendTrain is told by the worker of a train that an item of it begins.
func (w *worker) attendTrain() {
	t := &w.train
	at := w.report.Ran - 1
	w.home = t.shares[at]
	if t.times && at > 0 {
		t.ends = append(t.ends, w.pool.sys.now()-w.start-w.slept)
	}
}

// countFailed takes in what workers of trains counted of failures.
func (s *share) countFailed() {
	if s.failed.Load() > 0 {
		s.pol.Stats.Seldom().Failed += int64(s.failed.Swap(0))
	}
}

// plain says whether nothing about the share's items is special: but for what may
// change, which policy knows.
func (s *share) plain() bool {
	q := s.queue
	return q.opts.Kind != Ordered && q.bound == nil && q.rescuer == nil && s.room == nil &&
		!q.opts.CPUIntensive && !q.watched && !q.metered && !q.stamps && !q.opts.Limits.Any()
}
