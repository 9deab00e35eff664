package observe

import (
	"cmp"
	"slices"
	"time"
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
	worker string // that it names
	text   string
	advice string
	weight int64     // of two of a level, the greater comes first
	seen   time.Time // when it was the case last
}

// same says whether two alerts are about the same thing.
func (a alert) same(b alert) bool {
	return a.level == b.level && a.queue == b.queue && a.worker == b.worker
}

const (
	maxAlerts = 30               // that a sample has
	lingers   = 10 * time.Second // what comes and goes is shown for
)

// diagnose finds what is wrong in a sample; was is the one before, or nil.
func (s *sample) diagnose(was *sample, patience time.Duration) {
	s.levels = make([]level, len(s.snap.Queues))
	s.pools = s.poolsOf()
	for i := range s.snap.Queues {
		q, t := &s.snap.Queues[i], &s.tracks[i]
		by := s.executions(q)
		for _, find := range []func() (alert, bool){
			func() (alert, bool) { return findHalted(q, t) },
			func() (alert, bool) { return s.findStuck(q, t, by, patience) },
			func() (alert, bool) { return findFailing(q, t, s.since) },
			func() (alert, bool) { return findHog(q, t, by, s.since) },
			func() (alert, bool) { return findSilent(q, by) },
		} {
			if a, ok := find(); ok {
				a.queue, a.seen = q.Name, s.snap.At
				s.add(a)
				s.levels[i] = max(s.levels[i], a.level)
			}
		}
	}
	if was != nil {
		s.linger(was.alerts)
	}
	slices.SortStableFunc(s.alerts, func(a, b alert) int {
		return cmp.Or(-cmp.Compare(a.level, b.level), -cmp.Compare(a.weight, b.weight))
	})
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

// linger keeps what comes and goes, so that it can be read.
func (s *sample) linger(old []alert) {
	for _, a := range old {
		if a.level != hogs && a.level != silent || s.snap.At.Sub(a.seen) > lingers || len(s.alerts) == maxAlerts {
			continue
		}
		about := func(b alert) bool { return a.level == b.level && a.queue == b.queue }
		if !slices.ContainsFunc(s.alerts, about) {
			s.alerts = append(s.alerts, a)
		}
	}
}
