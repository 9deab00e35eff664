package actors

import (
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// What a pool tells of its workers.

// kicked tells that an idle worker got a lease of a share.
func (p *pool) kicked(w *worker, s *share) { p.leasedTo(messages.EventKick, w, s) }

// rescues tells that a rescuer did.
func (p *pool) rescues(w *worker, s *share) { p.leasedTo(messages.EventRescue, w, s) }

func (p *pool) leasedTo(k messages.EventKind, w *worker, s *share) {
	if p.obs != nil {
		p.tellLease(k, w, s)
	}
}

func (p *pool) tellLease(k messages.EventKind, w *worker, s *share) {
	if p.obs.want(k) {
		p.obs.tell(k, p.sys.now(), &messages.Event{
			Queue: s.queue.name, Pool: p.label, Worker: w.name, CPU: p.cpu, N: len(w.lease.Items),
		})
	}
}

// maydays tells that a share's rescuer is called.
func (p *pool) maydays(s *share) {
	if p.obs.want(messages.EventMayday) {
		p.obs.tell(messages.EventMayday, p.sys.now(), &messages.Event{
			Queue: s.queue.name, Pool: p.label, CPU: p.cpu, N: s.pol.Waiting(),
		})
	}
}

// assumedAsleep tells of workers whose items are so long over their time that the pool
// takes them for asleep.
func (p *pool) assumedAsleep(all []*policy.Worker) {
	if !p.obs.want(messages.EventSleep) {
		return
	}
	now := p.sys.now()
	for _, c := range all {
		w := p.workers[c.ID]
		l := &w.lease
		taken, _ := l.Progress()
		if taken == 0 || w.share == nil {
			continue
		}
		e := messages.Event{Queue: w.share.queue.name, Pool: p.label, Worker: w.name, CPU: p.cpu, Assumed: true}
		e.About(l.Items[taken-1], codeAt(l, taken-1))
		p.obs.tell(messages.EventSleep, now, &e)
	}
}

// created tells of a worker that was made, or of why it was not.
func (p *pool) created(worker string, err error) { p.staff(messages.EventCreate, worker, err) }

// culled tells of a worker that is to end, since the pool has too many.
func (p *pool) culled(worker string) { p.staff(messages.EventCull, worker, nil) }

func (p *pool) staff(k messages.EventKind, worker string, err error) {
	if p.obs.want(k) {
		p.obs.tell(k, p.sys.now(), &messages.Event{Pool: p.label, Worker: worker, CPU: p.cpu, Err: err})
	}
}

// created tells of a rescuer's worker, which belongs to no pool.
func (r *rescuer) created() {
	if sys := r.queue.sys; sys.obs.want(messages.EventCreate) {
		sys.obs.tell(messages.EventCreate, sys.now(), &messages.Event{Queue: r.queue.name, Worker: r.w.name, CPU: -1})
	}
}
