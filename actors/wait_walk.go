package actors

import (
	"maps"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// walk gathers who waits for whom, from one wait on. What an execution waits for
// is read from it; what holds an item or a queue up is asked of the pools.
type walk struct {
	g     policy.Waits
	who   []messages.Party // of each node
	execs map[*worker]int
	waits map[int][]*wait // of each execution
	from  *worker         // whose wait it is
	only  *wait           // of the waits of from
}

// holder is a worker that holds a lease: what it runs must end first.
type holder struct {
	w *worker
	q *Queue
}

func (k *walk) node(anyOf bool, who messages.Party) int {
	k.who = append(k.who, who)
	return k.g.Node(anyOf)
}

// exec is the node of what a worker runs. Other waits of the one that asks are
// not its affair: they were looked at when they began.
func (k *walk) exec(h holder) int {
	if n, ok := k.execs[h.w]; ok {
		return n
	}
	n := k.node(false, h.w.party(h.q))
	k.execs[h.w] = n
	x := h.w.context.Load()
	if x == nil {
		return n
	}
	for l := x.waits.list.Load(); l != nil; l = l.next {
		if h.w == k.from && l.e != k.only || l.e.over() {
			continue
		}
		k.waits[n] = append(k.waits[n], l.e)
		k.g.Edge(n, l.e.on.expand(k))
	}
	return n
}

// held is the node of an item, given what its pool says of it.
func (k *walk) held(h holds) int {
	if h.run != nil {
		return k.exec(*h.run)
	}
	by := h.by
	if h.slots != nil {
		by = k.slots(h.slots)
	}
	n := k.node(h.any, h.who)
	for _, b := range by {
		k.g.Edge(n, k.exec(b))
	}
	return n
}

// slots are the executions of a queue whose slots are lent to several shares; none
// if there may be a slot for who waits without any of them ending.
func (k *walk) slots(q *Queue) (by []holder) {
	for _, s := range q.table.Load().all() {
		h := s.pool.holdsFor(&holdsAsk{share: s, slots: true})
		if h.free {
			return nil
		}
		by = append(by, h.by...)
	}
	if len(by) < int(q.max.Load()) {
		return nil // slots are on their way between the shares
	}
	return by
}

// looks is how often a deadlock is looked for again, if others move meanwhile.
const looks = 8

// deadlock says whether the execution's wait would never end. One look gathers
// waits that may not all have gone on at one moment; if a second finds the same
// ones, they did between the two.
func (x *itemContext) deadlock(op string, e *wait) error {
	var last map[*wait]bool
	for range looks {
		k := &walk{execs: map[*worker]int{}, waits: map[int][]*wait{}, from: x.worker, only: e}
		at := k.exec(holder{x.worker, x.queue})
		stuck := k.g.Stuck()
		way := k.g.Cycle(at, stuck)
		if way == nil {
			return nil
		}
		now := map[*wait]bool{}
		for n, l := range k.waits {
			for _, e := range l {
				now[e] = stuck[n]
			}
		}
		maps.DeleteFunc(now, func(_ *wait, stuck bool) bool { return !stuck })
		if last != nil && maps.Equal(last, now) {
			return k.report(op, way)
		}
		last = now
	}
	return nil
}

func (k *walk) report(op string, way []int) error {
	err := &messages.DeadlockError{Op: op, Who: k.who[way[0]], For: k.who[way[1%len(way)]]}
	for _, n := range way[min(2, len(way)):] {
		err.Chain = append(err.Chain, k.who[n])
	}
	return err
}
