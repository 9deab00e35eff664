package actors

import (
	"maps"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// walk gathers who waits for whom, from one wait on. What an execution waits for
// is read from it; what holds an item or a queue up is asked of the pools.
type walk struct {
	g      policy.Waits
	who    []messages.Party // of each node
	execs  map[*worker]int
	chains map[chainAt]int // of keys in older shares
	waits  map[int][]*wait // of each execution
	from   *worker         // whose wait it is
	only   *wait           // of the waits of from
}

// holder is a worker that holds a lease, or an item that runs in another pool: that
// execution must end first.
type holder struct {
	w      *worker
	q      *Queue         // of what it runs
	abroad *messages.Item // instead: whoever runs that
}

func (k *walk) node(need int, who messages.Party) int {
	k.who = append(k.who, who)
	return k.g.Node(need)
}

// exec is the node of what a worker runs. Other waits of the one that asks are
// not its affair: they were looked at when they began.
func (k *walk) exec(h holder) int {
	if h.abroad != nil {
		run := runsAt(h.abroad)
		if run == nil {
			return k.node(0, messages.Party{Item: true}) // it has ended
		}
		h = *run
	}
	if n, ok := k.execs[h.w]; ok {
		return n
	}
	n := k.node(0, h.w.party(h.q))
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
	n := k.node(0, h.who)
	k.fill(n, h)
	return n
}

// fill has a node wait for what a pool said of it.
func (k *walk) fill(n int, h holds) {
	for _, b := range h.by {
		k.g.Edge(n, k.exec(b))
	}
	for _, o := range h.older {
		k.g.Edge(n, k.chain(o))
	}
	if h.inactive == nil {
		return
	}
	with, need := k.slots(&h)
	slot := k.node(need, h.who)
	k.g.Edge(n, slot)
	for _, b := range with {
		k.g.Edge(slot, k.exec(b))
	}
}

// slots are the executions with a slot that an inactive item waits for, each as often
// as it has one; need is how many must end before one is free. None if one is free, or
// on its way from share to share.
func (k *walk) slots(h *holds) (with []holder, need int) {
	s := h.inactive
	limit, free := h.limit, h.free
	with = h.slots
	if h.borrows { // slots are lent to several shares
		lent := s.queue.has().division.Load()
		with, limit = nil, lent.Of(s.pool.node)
		for _, o := range s.queue.table.Load().all() {
			if o.room != nil || lent.Divided() && o.pool.node != s.pool.node {
				continue // it has slots of its own
			}
			h := o.pool.holdsFor(&holdsAsk{share: o, slots: true})
			with, free = append(with, h.slots...), free || h.free
		}
	}
	if free || len(with) < limit {
		return nil, 0
	}
	return with, len(with) - limit + 1
}

// looks is how often a deadlock is looked for again, if others move meanwhile.
const looks = 8

// deadlock says whether the execution's wait would never end. One look gathers
// waits that may not all have gone on at one moment; if a second finds the same
// ones, they did between the two.
func (x *itemContext) deadlock(e *wait) error {
	var last map[*wait]bool
	for range looks {
		k := &walk{
			execs: map[*worker]int{}, chains: map[chainAt]int{}, waits: map[int][]*wait{}, from: x.worker, only: e,
		}
		at := k.exec(holder{w: x.worker, q: x.queue})
		stuck := k.g.Stuck()
		way := k.g.Cycle(at, stuck)
		if way == nil {
			return nil
		}
		now := map[*wait]bool{}
		for n, l := range k.waits {
			for _, other := range l {
				now[other] = stuck[n]
			}
		}
		maps.DeleteFunc(now, func(_ *wait, stuck bool) bool { return !stuck })
		if last != nil && maps.Equal(last, now) {
			return k.report(e.op, way)
		}
		last = now
	}
	x.worker.lookAgain() // when the others have moved
	return nil
}

func (k *walk) report(op string, way []int) error {
	err := &messages.DeadlockError{Op: op, Who: k.who[way[0]], For: k.who[way[1%len(way)]]}
	for i, n := range way[min(2, len(way)):] {
		if k.who[n] == k.who[way[i+1]] {
			continue // an item, and the slot that it waits for
		}
		err.Chain = append(err.Chain, k.who[n])
	}
	return err
}
