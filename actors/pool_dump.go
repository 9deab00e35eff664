package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// poolAnswer is what a pool tells of itself, and of each share that had work.
type poolAnswer struct {
	pool *pool
	messages.PoolSnapshot
	shares []shareAnswer
}

// shareAnswer is a share's numbers, and where the snapshot has what it does: -1 if
// that is nothing.
type shareAnswer struct {
	share *share
	numbers
	at int
}

// lists is what a snapshot sorts by share, so that it goes over each list once.
type lists struct {
	now     time.Duration
	leased  map[*share][]*worker
	pending map[*share]*runs
	held    int // items of a share that it looks at
}

// snapshot tells what the pool does. It takes nothing back and disturbs nobody:
// what a worker runs is known from its lease.
func (p *pool) snapshot() *poolAnswer {
	now := p.sys.now()
	st := &poolAnswer{pool: p, PoolSnapshot: messages.PoolSnapshot{
		ID: p.id, Name: p.name, Kind: p.pol.Kind().String(), CPU: p.cpu, HighPri: p.high,
		Running: p.pol.Running(), Waiting: p.pol.Waiting(), Workers: p.pol.Workers(),
		Wanted: p.pol.Creating(), Hung: p.pol.Hung(now),
	}}
	if w := p.pol.Width(); w < policy.Unlimited {
		st.Width = w
	}
	for _, w := range p.workers {
		if w != nil && w.share == nil {
			st.Idle = append(st.Idle, w.name)
		}
	}
	l := p.sorted(now)
	st.shares = make([]shareAnswer, len(p.shares))
	for i, s := range p.shares {
		a := &st.shares[i]
		a.share, a.at = s, -1
		a.numbers = s.numbers(l.leased[s])
		if !s.pol.Idle() || len(l.leased[s]) > 0 {
			a.at = len(st.Shares)
			st.Shares = append(st.Shares, p.shareSnapshot(s, l))
		}
	}
	st.copyTimes()
	return st
}

// sorted goes over the leases and the worklist.
func (p *pool) sorted(now time.Duration) *lists {
	l := &lists{now: now, held: dumpItems}
	if len(p.leased) > 0 {
		l.leased = make(map[*share][]*worker)
		for _, w := range p.leased {
			l.leased[w.share] = append(l.leased[w.share], w)
		}
	}
	if p.list.first != nil {
		l.pending = make(map[*share]*runs)
	}
	n := 0
	for it := p.list.first; it != nil && n < dumpItems; it = it.Next {
		n++
		s := home(it)
		r := l.pending[s]
		if r == nil {
			r = &runs{}
			l.pending[s] = r
		}
		r.take(p, it)
	}
	wait := 0
	for _, s := range p.shares {
		if s.pol.Inactive()+s.pol.Held() > 0 {
			wait++
		}
	}
	if wait > 1 {
		l.held = max(dumpItems/wait, dumpRuns)
	}
	return l
}

func (p *pool) shareSnapshot(s *share, l *lists) messages.ShareSnapshot {
	st := messages.ShareSnapshot{
		Queue: s.queue.name, Pool: p.name,
		Active: s.pol.Active(), Inactive: s.pol.Inactive() + s.pol.Held() + riding(s, l.leased[s]), MaxActive: s.maxActive(),
		Mayday: s.has().called || s.has().scanning, Retired: s.pol.Retired(),
	}
	for _, w := range l.leased[s] {
		if e, ok := p.execution(w, l.now); ok {
			st.InFlight = append(st.InFlight, e)
		}
	}
	if n := s.pol.Waiting(); n > 0 {
		r := l.pending[s]
		if r == nil {
			r = &runs{}
		}
		r.more = r.n < n
		st.Pending = r.done()
	}
	st.Held = p.heldRuns(s, l.held)
	return st
}

// heldRuns folds the items of a share that may not start: those beyond max_active, and
// behind one of their key.
func (p *pool) heldRuns(s *share, most int) []messages.Run {
	n := s.pol.Inactive() + s.pol.Held()
	if n == 0 {
		return nil
	}
	var r runs
	add := func(l *list) {
		for it := l.first; it != nil && r.n < most; it = it.Next {
			r.take(p, it)
		}
	}
	add(&s.inactive)
	for _, c := range s.has().keys.chains {
		if r.n >= most {
			break
		}
		add(&c.held)
	}
	r.more = r.n < n
	return r.done()
}

// execution tells what a worker with a lease does; not ok if its lease is over.
func (p *pool) execution(w *worker, now time.Duration) (e messages.InFlight, ok bool) {
	l := &w.lease
	taken, end := l.Progress()
	if w.phase.Load() == phaseDone {
		return e, false
	}
	e = messages.InFlight{Worker: w.name, State: "starting", Rescuer: w.leaves != nil, Thread: w.onThread(now)}
	if taken > 0 {
		e.Func, e.State = codeName(codeAt(l, taken-1)), w.pol.Doing()
		e.For = max(0, now-w.pol.Since(l.Seq, taken, time.Duration(l.Started()))) // it may have begun since now was read
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
