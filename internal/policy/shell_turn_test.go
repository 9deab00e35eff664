package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// turn ends a turn as the actor does.
func (sh *shell) turn() {
	sh.relieve()
	if sh.p.Widened() {
		sh.p.Calm(sh.now)
	}
	sh.grant()
	if sh.p.Waiting() == 0 {
		sh.p.Drained()
	} else if steps := sh.p.Aged(sh.now, 0); steps > 0 {
		sh.observe()
		back := slices.Clone(sh.p.Grow(sh.now, steps))
		sh.say("work is old and little gets done: the width grows to %d", sh.p.Width())
		for _, w := range back {
			sh.takeBack(sh.of(w))
		}
		sh.grant()
	}
	sh.verify(true)
}

// grant gives leases while there are offers, and asks for workers. They come at
// once unless the conversation says when.
func (sh *shell) grant() {
	for {
		for len(sh.list) > 0 && sh.lease(sh.list[0].q) {
		}
		n := sh.p.WorkersWanted()
		if n == 0 {
			return
		}
		if sh.manual {
			sh.say("%d workers are asked for", n)
			return
		}
		sh.create(n)
	}
}

func (sh *shell) create(n int) {
	for range n {
		w := &testWorker{Worker: &Worker{ID: len(sh.workers) + 1}}
		sh.workers = append(sh.workers, w)
		if sh.p.Created(w.Worker, sh.now) {
			sh.say("the idle timer is armed")
		}
		sh.verify(false)
	}
}

// lease gives what is offered, as far as it is of one share and epoch and stands
// together.
func (sh *shell) lease(q *testShare) bool {
	if sh.list[0].chain != nil {
		return sh.leaseKeyed(q, sh.list[0].chain)
	}
	o, ok := sh.p.Offer(q.Share)
	if !ok {
		return false
	}
	epoch := sh.list[0].epoch
	ours := func(it *testItem) bool { return it.q == q && it.chain == nil && it.epoch == epoch }
	active, riders := prefix(sh.list, o.Active, ours), 0
	if sh.train(o.Worker, q, active) {
		return true
	}
	if active == o.Active {
		riders = prefix(q.inactive, o.Riders, ours)
	}
	sh.p.Lease(o.Worker, q.Share, active, riders)
	w := sh.of(o.Worker)
	w.q, w.epoch, w.active, w.taken, w.start = q, epoch, active, 0, 0
	w.seq++
	w.items = slices.Concat(sh.list[:active], q.inactive[:riders])
	sh.list, q.inactive = slices.Clone(sh.list[active:]), slices.Clone(q.inactive[riders:])
	for _, it := range w.items {
		it.leased = true
	}
	s := fmt.Sprintf("w%d gets%s", w.ID, names(w.items[:active]))
	if riders > 0 {
		s += ", and behind them" + names(w.items[active:])
	}
	sh.say("%s", s)
	sh.verify(false)
	return true
}

func prefix(items []*testItem, limit int, ok func(*testItem) bool) (n int) {
	for n < limit && n < len(items) && ok(items[n]) {
		n++
	}
	return n
}

func (sh *shell) of(w *Worker) *testWorker { return sh.workers[w.ID-1] }

func (sh *shell) observe() {
	for _, w := range sh.p.Counted() {
		tw := sh.of(w)
		if tw.whole && tw.taken > 0 {
			w.At(tw.items[tw.taken-1].q.Share)
		}
		w.Observe(tw.seq, tw.taken, len(tw.items), tw.start, sh.now)
	}
}

func (sh *shell) tick(g Gauges) {
	sh.observe()
	t := sh.p.Tick(sh.now, g, sh.hog)
	back := slices.Clone(t.Back)
	for i, w := range back {
		switch {
		case i < t.Asleep:
			sh.say("w%d is assumed to be asleep", w.ID)
		case i < t.Asleep+t.Hogs:
			sh.say("w%d is a hog", w.ID)
		case !w.Counted():
			sh.say("w%d no longer counts", w.ID)
		}
	}
	sh.verify(false)
	for _, w := range back {
		sh.takeBack(sh.of(w))
	}
	sh.turn()
}

func (sh *shell) cull() {
	stop, again := sh.p.Cull(sh.now)
	for _, w := range stop {
		sh.say("w%d is stopped", w.ID)
	}
	if again > 0 {
		sh.say("the idle timer is armed for %v", again)
	}
	sh.turn()
}

// state is the line that ends each answer.
func (sh *shell) state() string {
	var b strings.Builder
	width := "inf"
	if sh.p.Kind() != Unbound {
		width = fmt.Sprint(sh.p.Width())
	}
	fmt.Fprintf(&b, "run %d/%s, idle %d/%d, wait %d%s\n", sh.p.Running(), width, sh.p.Idle(), sh.p.Workers(), sh.p.Waiting(), bracket(sh.list))
	for _, q := range sh.shares {
		fmt.Fprintf(&b, "%s: active %d/%d", q.name, q.Active(), q.Limit())
		if q.Inactive() > 0 {
			fmt.Fprintf(&b, ", inactive %d%s", q.Inactive(), bracket(q.inactive))
		}
		b.WriteString(q.chained())
		b.WriteByte('\n')
	}
	if sh.broken != nil {
		fmt.Fprintf(&b, "BROKEN: %v\n", sh.broken)
	}
	return b.String()
}

func bracket(items []*testItem) string {
	if len(items) == 0 {
		return ""
	}
	return " [" + names(items)[1:] + "]"
}

func (sh *shell) advance(to time.Duration) { sh.now = max(sh.now, to) }
