package actors

// roomWait is a wait for room in a queue.
type roomWait struct{ queue *Queue }

func (t *roomWait) over() bool { return t.queue.bound.free() }

// expand says that room comes free when one of the executions ends that have the
// queue's slots: then what waits may begin. If a slot is free already, or if some of
// the room is with items that are armed or on their way, nothing is said to hold it up:
// a deadlock may be missed, but none is seen that is none.
func (t *roomWait) expand(k *walk) int {
	q := t.queue
	var slots []holder
	pending := 0
	for _, s := range q.table.Load().all() {
		h := s.pool.holdsFor(&holdsAsk{share: s, slots: true})
		if h.gone {
			return k.node(0, q.party())
		}
		if h.pending == 0 {
			continue
		}
		with, need := k.slots(&h)
		if need == 0 {
			return k.node(0, q.party())
		}
		pending += h.pending
		slots = append(slots, with...)
	}
	if pending < cap(q.bound.room) {
		return k.node(0, q.party())
	}
	n := k.node(1, q.party())
	for _, b := range slots {
		k.g.Edge(n, k.exec(b))
	}
	return n
}
