package observe

import (
	"cmp"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// level is how much something calls for somebody.
type level int

const (
	fine   level = iota
	halted       // paused or frozen, and work waits
	silent       // sleeps without saying so
	hogs         // has the CPU for long
	fails
	stuck
)

func (l level) String() string {
	return [...]string{"", "halted", "silent", "hog", "failing", "stuck"}[l]
}

// alert is a plain sentence about what is wrong, and what may be done.
type alert struct {
	level  level
	queue  string // "" if it is not about one
	worker string // that is seen at it; only of hogs and silent sleepers
	text   string
	advice string
	weight int64     // of two of a level, the greater comes first
	seen   time.Time // when it was the case last
}

// same says whether two alerts are about the same thing.
func (a alert) same(b alert) bool { return a.level == b.level && a.queue == b.queue }

const (
	maxAlerts = 30               // that a sample has
	lingers   = 10 * time.Second // what comes and goes is shown for
)

// diagnose finds what is wrong in a sample; was is the one before, or nil.
func (s *sample) diagnose(was *sample, patience time.Duration) {
	s.levels = make([]level, len(s.snap.Queues))
	s.pools = s.poolsOf()
	if was != nil {
		s.linger(was.alerts)
	}
	for i := range s.snap.Queues {
		q, t := &s.snap.Queues[i], &s.tracks[i]
		by := s.executions(q)
		if len(by) == 0 && t.waiting == 0 && t.now == t.past {
			continue // it is idle
		}
		s.examine(i, q, t, by, patience)
	}
	slices.SortStableFunc(s.alerts, func(a, b alert) int {
		return cmp.Or(-cmp.Compare(a.level, b.level), -cmp.Compare(a.weight, b.weight))
	})
}

// examine looks at one queue.
func (s *sample) examine(i int, q *cmwq.QueueSnapshot, t *track, by []holder, patience time.Duration) {
	if a, ok := findHalted(q, t); ok {
		s.found(i, a)
	}
	if a, ok := s.findStuck(q, t, by, patience); ok {
		s.found(i, a)
	}
	if a, ok := findFailing(q, t, s.since); ok {
		s.found(i, a)
	}
	if unmanaged(q) {
		return
	}
	seen := false
	if a, ok := findSilent(q, by); ok {
		s.found(i, a)
		t.saw, seen = silent, true
	}
	if a, ok := findHog(q, by); ok {
		s.found(i, a)
		t.saw, seen = hogs, true
	}
	if !seen && !s.lingers(q.Name) {
		if a, ok := s.findLong(q, t); ok {
			s.found(i, a)
		}
	}
}

// found keeps what was found of a queue, in place of what lingers of it.
func (s *sample) found(i int, a alert) {
	a.queue, a.seen = s.snap.Queues[i].Name, s.snap.At
	s.levels[i] = max(s.levels[i], a.level)
	s.alerts = slices.DeleteFunc(s.alerts, a.same)
	s.add(a)
}

// linger keeps what comes and goes, so that it can be read.
func (s *sample) linger(old []alert) {
	for _, a := range old {
		if a.worker != "" && s.snap.At.Sub(a.seen) <= lingers {
			s.alerts = append(s.alerts, a)
		}
	}
}

// lingers says whether something lingers of a queue, or is the case.
func (s *sample) lingers(queue string) bool {
	return slices.ContainsFunc(s.alerts, func(a alert) bool { return a.queue == queue && a.worker != "" })
}

// add keeps an alert, or a worse one.
func (s *sample) add(a alert) {
	if len(s.alerts) < maxAlerts {
		s.alerts = append(s.alerts, a)
		return
	}
	s.more++
	least := 0
	for i, b := range s.alerts {
		if l := s.alerts[least]; cmp.Or(cmp.Compare(b.level, l.level), cmp.Compare(b.weight, l.weight)) < 0 {
			least = i
		}
	}
	if l := s.alerts[least]; cmp.Or(cmp.Compare(a.level, l.level), cmp.Compare(a.weight, l.weight)) > 0 {
		s.alerts[least] = a
	}
}
