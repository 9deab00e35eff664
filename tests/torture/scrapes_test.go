package torture

import (
	"maps"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// scrapes is a registry that knows which queues were missing in what it gave: a name is
// forgotten with its last queue, and begins anew with the next.
type scrapes struct {
	*prometheus.Registry
	going sync.RWMutex // read by each that has not noted what it has

	mu     sync.Mutex
	lacked map[string]int // by name of a queue: how often it was missing since it was there
}

func (s *scrapes) Gather() ([]*dto.MetricFamily, error) {
	s.going.RLock()
	defer s.going.RUnlock()
	families, err := s.Registry.Gather()
	if err == nil {
		s.note(families)
	}
	return families, err
}

func (s *scrapes) note(families []*dto.MetricFamily) {
	there := map[string]bool{}
	each(families, func(_ string, m *dto.Metric) { there[queueOf(m)] = true })
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.lacked {
		if !there[name] {
			s.lacked[name]++
		}
	}
	for name := range there {
		s.lacked[name] += 0
	}
}

// queueOf is the name of the queue that a number is of; "" for none.
func queueOf(m *dto.Metric) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == "name" {
			return l.GetValue()
		}
	}
	return ""
}

// missing is how often each name was missing until now.
func (s *scrapes) missing() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.lacked)
}

// forgot says whether the name was missing in a scrape since, also in one that had no
// occasion yet to note it.
func (s *scrapes) forgot(name string, since map[string]int) bool {
	s.going.Lock() // those that are going on are over then
	defer s.going.Unlock()
	return s.missing()[name] != since[name]
}
