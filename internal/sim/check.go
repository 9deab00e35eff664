package sim

import (
	"fmt"
	"time"
)

// What a scenario may ask for, so that none runs for ever.
const (
	mostCPUs    = 1024
	mostItems   = 10_000
	mostThreads = 1024
	mostTime    = time.Hour
	leastTime   = 10 * time.Microsecond // of a quantum
)

// check says what no machine can do. It is asked after each line, so that the error
// is told of the line that caused it.
func (s *Scenario) check() error {
	switch {
	case s.CPUs < 1 || s.CPUs > mostCPUs:
		return fmt.Errorf("cpus=%d: want 1 to %d", s.CPUs, mostCPUs)
	case s.Width < 0 || s.Width > mostCPUs:
		return fmt.Errorf("width=%d: want 1 to %d", s.Width, mostCPUs)
	case s.Busy < 0 || s.Busy > mostThreads:
		return fmt.Errorf("busy=%d: want 0 to %d", s.Busy, mostThreads)
	case s.Quantum < 0 || s.Quantum > 0 && s.Quantum < leastTime || s.Quantum > mostTime:
		return fmt.Errorf("quantum: want 0 or %v to %v", leastTime, mostTime)
	case len(s.Items) > mostItems:
		return fmt.Errorf("more than %d items", mostItems)
	}
	if err := inTime("hog", s.Hog); err != nil {
		return err
	}
	if err := inTime("create", s.Create); err != nil {
		return err
	}
	if err := s.checkQueue(); err != nil {
		return err
	}
	return s.checkItem()
}

func (s *Scenario) checkQueue() error {
	if len(s.Queues) == 0 {
		return nil
	}
	rest, q := s.Queues[:len(s.Queues)-1], s.Queues[len(s.Queues)-1]
	if q.MaxActive < 1 {
		return fmt.Errorf("max_active=%d: want 1 or more", q.MaxActive)
	}
	for i := range rest {
		if rest[i].Name == q.Name {
			return fmt.Errorf("there is a queue %q already", q.Name)
		}
	}
	return nil
}

func (s *Scenario) checkItem() error {
	if len(s.Items) == 0 {
		return nil
	}
	it := s.Items[len(s.Items)-1]
	if err := inTime("at", it.At); err != nil {
		return err
	}
	for _, st := range it.Steps {
		if err := inTime(st.Do.String(), st.For); err != nil {
			return err
		}
	}
	return nil
}

func inTime(what string, d time.Duration) error {
	if d < 0 || d > mostTime {
		return fmt.Errorf("%s: want a time from 0 to %v", what, mostTime)
	}
	return nil
}
