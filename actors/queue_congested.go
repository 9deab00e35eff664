package actors

// congest keeps, for those who ask without a turn, whether the share has
// inactive items. It runs in the pool's turn, and only where their number may have
// changed: a queue that is not congested pays one load a lease.
func (s *share) congest() {
	if now := s.pol.Congested(); now != s.full.Load() {
		s.full.Store(now)
	}
}

// Congested says whether items wait for a slot of max_active on the pool of a
// logical CPU; false for a CPU that does not exist. (kernel:
// workqueue_congested)
func (q *Queue) Congested(cpu int) bool {
	s, err := q.table.Load().on(cpu)
	return err == nil && s.full.Load()
}
