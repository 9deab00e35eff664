package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// snapshot tells what the pool does. It takes nothing back and disturbs nobody:
// what a worker runs is known from its lease.
func (p *pool) snapshot() *messages.PoolSnapshot {
	now := p.sys.now()
	st := &messages.PoolSnapshot{
		ID: p.id, Name: p.name, Kind: p.pol.Kind().String(), CPU: p.cpu, HighPri: p.high,
		Running: p.pol.Running(), Waiting: p.pol.Waiting(), Workers: p.pol.Workers(),
		Wanted: p.pol.Creating(), Hung: p.pol.Hung(now),
	}
	if w := p.pol.Width(); w < policy.Unlimited {
		st.Width = w
	}
	for _, w := range p.workers {
		if w != nil && w.share == nil {
			st.Idle = append(st.Idle, w.name)
		}
	}
	for _, s := range p.shares {
		st.Shares = append(st.Shares, p.shareSnapshot(s, now))
	}
	return st
}

func (p *pool) shareSnapshot(s *share, now time.Duration) messages.ShareSnapshot {
	st := messages.ShareSnapshot{
		Queue: s.queue.name, Pool: p.name,
		Active: s.pol.Active(), Inactive: s.pol.Inactive() + s.pol.Held(), MaxActive: s.maxActive(),
	}
	for _, w := range p.leased {
		if w.share == s {
			if e, ok := p.execution(w, now); ok {
				st.InFlight = append(st.InFlight, e)
			}
		}
	}
	if s.pol.Waiting() > 0 {
		st.Pending = p.runsOf(s, p.list.first)
	}
	st.Held = p.runsOf(s, s.inactive.first, s.heldLists()...)
	return st
}

// heldLists are the items that wait for one of their key, key by key: as many as a
// snapshot looks at.
func (s *share) heldLists() (l []*messages.Item) {
	for _, c := range s.keys.chains {
		if len(l) == dumpItems {
			break
		}
		if c.held.first != nil {
			l = append(l, c.held.first)
		}
	}
	return l
}

// execution tells what a worker with a lease does; not ok if its lease is over.
func (p *pool) execution(w *worker, now time.Duration) (e messages.InFlight, ok bool) {
	l := &w.lease
	taken, end := l.Progress()
	if w.phase.Load() == phaseDone {
		return e, false
	}
	e = messages.InFlight{Worker: w.name, State: "starting"}
	if taken > 0 {
		e.Func, e.State = codeName(codeAt(l, taken-1)), w.pol.Doing()
		e.For = now - w.pol.Since(l.Seq, taken, time.Duration(l.Started()))
		e.Waiters = len(w.waiters)
		if w.flushed == l.Items[taken-1] {
			e.Waiters += len(w.flushers)
		}
		if d := w.desc.Load(); d != nil {
			e.Desc = *d
		}
	}
	var r runs
	for i := taken; i < end; i++ {
		waiters := 0
		if w.flushed == l.Items[i] {
			waiters = len(w.flushers)
		}
		r.add(codeAt(l, i), waiters)
	}
	for it := w.parked.first; it != nil; it = it.Next {
		r.add(codeOf(it, it.Func), len(p.waits[it]))
	}
	e.Scheduled = r.done()
	return e, true
}

// runsOf folds the items of a share on lists.
func (p *pool) runsOf(s *share, first *messages.Item, more ...*messages.Item) []messages.Run {
	var r runs
	n := 0
	for i := -1; i < len(more) && !r.more; i++ {
		if i >= 0 {
			first = more[i]
		}
		for it := first; it != nil; it = it.Next {
			if n++; n > dumpItems || len(r.list) == dumpRuns {
				r.more = true
				break
			}
			if home(it) == s {
				r.add(codeOf(it, it.Func), len(p.waits[it]))
			}
		}
	}
	return r.done()
}
