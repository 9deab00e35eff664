package policy

import (
	"fmt"
	"slices"
	"time"
)

// shell plays the pool's actor and its workers: it keeps the lists that the
// policy counts, does what the policy answers, and writes down what that was.
// Every step is verified.
type shell struct {
	p       *Pool
	now     time.Duration
	hog     time.Duration
	manual  bool // workers come by command
	shares  []*testShare
	workers []*testWorker
	list    []*testItem
	parked  []*testItem
	items   int // that ever arrived
	said    []string
	broken  error // the first invariant that broke
}

type testShare struct {
	*Share
	name     string
	borrows  bool // its slots are lent by the queue
	inactive []*testItem
	chains   map[string]*testChain // by key
}

type testItem struct {
	name   string
	q      *testShare
	chain  *testChain // nil: it has no key
	no     int        // in order of arrival
	epoch  uint32
	leased bool // has been, perhaps in vain
}

type testWorker struct {
	*Worker
	q      *testShare // nil: idle
	chain  *testChain // of its lease's key
	saves  *testShare // it is this share's rescuer
	seq    uint64
	items  []*testItem
	epoch  uint32
	active int  // the first so many hold a slot
	whole  bool // its lease is a train
	taken  int
	start  time.Duration // 0: nothing taken yet
}

func newShell(kind Kind, cpus, procs int) *shell {
	sh := &shell{p: NewPool(kind, cpus, procs), now: time.Second, hog: HogThreshold}
	if kind == BH {
		sh.create(1) // its runner is born with it
	}
	return sh
}

func (sh *shell) say(format string, args ...any) {
	sh.said = append(sh.said, fmt.Sprintf(format, args...))
}

// verify looks at the invariants after a step, or at the end of a turn.
func (sh *shell) verify(turn bool) {
	shares := make([]*Share, 0, len(sh.shares))
	for _, q := range sh.shares {
		shares = append(shares, q.Share)
	}
	err := sh.p.verifyStep(shares).err
	if turn {
		err = sh.p.Verify(shares...)
	}
	if err == nil && len(sh.list) != sh.p.Waiting() {
		err = fmt.Errorf("%d items on the list, %d counted", len(sh.list), sh.p.Waiting())
	}
	if err != nil && sh.broken == nil {
		sh.broken = err
	}
}

func (sh *shell) arrive(q *testShare, names ...string) {
	var items []*testItem
	for _, name := range names {
		sh.items++
		items = append(items, &testItem{name: name, q: q, no: sh.items, epoch: q.Epoch.Now()})
	}
	n := sh.p.Arrive(q.Share, len(items))
	sh.list = append(sh.list, items[:n]...)
	q.inactive = append(q.inactive, items[n:]...)
	sh.verify(false)
	sh.borrow(q)
	sh.turn()
}

// takeBack returns the unstarted rest of a lease.
func (sh *shell) takeBack(w *testWorker) {
	if w.whole {
		sh.uncouple(w, 1)
		return
	}
	rest := w.items[w.taken:]
	active := min(len(rest), max(0, w.active-w.taken))
	w.items = w.items[:w.taken]
	if len(rest) > 0 {
		sh.say("w%d gives back%s", w.ID, names(rest))
	}
	sh.list = slices.Concat(rest[:active], sh.list)
	w.rideBack(rest[active:])
	sh.p.Return(w.Worker, active, len(rest)-active)
	sh.verify(false)
	sh.activate(w.q)
}

func (sh *shell) activate(q *testShare) {
	if n := q.Surrender(); n > 0 {
		sh.say("%s returns %d slots", q.name, n)
	}
	n := sh.p.Activate(q.Share)
	if n > 0 {
		sh.say("%s activates%s", q.name, names(q.inactive[:n]))
	}
	sh.list = append(sh.list, q.inactive[:n]...)
	q.inactive = slices.Clone(q.inactive[n:])
	sh.verify(false)
	sh.borrow(q)
}

func (sh *shell) borrow(q *testShare) {
	if !q.borrows {
		return
	}
	if n, tell := q.Borrow(); tell && n > 0 {
		sh.say("%s asks for %d slots", q.name, n)
	}
}

// take has a worker take the next item of its lease.
func (sh *shell) take(w *testWorker) {
	if w.taken == 0 {
		w.start = sh.now
	}
	w.taken++
}

// done ends a lease with so many items executed; 0 is all of them. It took the
// time since it began, a millisecond at least, if nothing else is said.
func (sh *shell) done(w *testWorker, busy time.Duration, ran int) {
	if ran == 0 {
		ran = len(w.items)
	}
	w.taken = max(w.taken, ran)
	if busy == 0 {
		busy = max(time.Millisecond, sh.now-max(w.start, zero))
	}
	if w.whole {
		sh.uncouple(w, w.Slower(busy))
	}
	q := w.q
	epoch := w.epoch
	if w.taken < len(w.items) {
		sh.takeBack(w)
	}
	if sh.p.Done(w.Worker, Report{Ran: w.taken, Busy: busy, End: sh.now}) {
		sh.say("the idle timer is armed")
	}
	c := w.chain
	w.q, w.chain = nil, nil
	sh.verify(false)
	sh.finish(q, epoch, w.taken)
	sh.activate(q)
	if c != nil && w.taken > 0 {
		sh.follow(q, c)
	}
	sh.turn()
}

func (sh *shell) finish(q *testShare, epoch uint32, n int) {
	if e, ok := q.Epoch.Finish(epoch, n); ok {
		sh.say("%s is done with epoch %d", q.name, e)
	}
}

func (sh *shell) blocks(w *testWorker) {
	before := w.q.Stats.Rest().CMWakeup
	sh.takeBack(w)
	sh.p.Blocks(w.Worker)
	if w.q.Stats.Rest().CMWakeup > before {
		sh.say("a wake-up is credited to %s", w.q.name)
	}
	sh.verify(false)
	sh.turn()
}

func (sh *shell) wakes(w *testWorker) {
	sh.p.Wakes(w.Worker)
	sh.verify(false)
	sh.turn()
}
