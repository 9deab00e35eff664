package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/threads"
	"github.com/cmwq/cmwq/messages"
)

// clocks tells policy what the clock of a pinned worker's thread says, and whether the
// thread sleeps. That costs more: it is asked when the clock stands still, and not at
// each tick.
func (w *worker) clocks(now time.Duration) {
	t := w.thread
	id := int(t.id.Load())
	if id == 0 {
		return // it has not begun
	}
	clock := threads.Clock(id)
	switch {
	case clock != t.clock:
		t.asleep = false
	case now-t.looked >= policy.StuckAge:
		t.looked, t.asleep = now, !threads.Ready(id)
	}
	t.clock = clock
	w.pol.Clock(time.Duration(t.ran.Load()), clock, t.asleep)
}

// onThread is what the operating system says of a worker's thread, for reports.
func (w *worker) onThread(now time.Duration) *messages.Thread {
	t := w.thread
	if t == nil {
		return nil
	}
	id := int(t.id.Load())
	found := &messages.Thread{CPUs: t.pin.cpus.Load().String(), Ready: true}
	if id == 0 {
		return found // it has not begun
	}
	l := threads.LookAt(id)
	found.Ready = l.Ready
	found.Ran = max(0, threads.Clock(id)-time.Duration(t.ran.Load()))
	found.Waited = max(0, l.Waited-time.Duration(t.waited.Load()))
	if from := w.lease.Started(); from > 0 && l.Ready && l.Turns == t.turns.Load() {
		found.Waited = max(0, now-time.Duration(from)-found.Ran) // the wait goes on
	}
	return found
}

// bringHome has a worker that is woken start in its pod, if it was elsewhere.
func (p *pool) bringHome(w *worker, s *share) {
	n := p.pin
	if n == nil || !policy.Repatriates(n.all.Equals(n.pod), n.pod, int(w.thread.cpu.Load())) {
		return
	}
	if threads.Bind(int(w.thread.id.Load()), n.pod) == nil {
		w.thread.away.Store(true)
		s.pol.Stats.Seldom().Repatriated++
	}
}
