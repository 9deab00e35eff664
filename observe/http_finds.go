package observe

import (
	"fmt"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// What is wrong with a queue, each in a sentence that names it, what waits, since when,
// and who holds it up.

func findHalted(q *cmwq.QueueSnapshot, t *track) (a alert, ok bool) {
	n := t.waiting
	for _, word := range []struct{ flag, by string }{{"paused", "Resume"}, {"frozen", "Thaw"}} {
		if n > 0 && slices.Contains(q.Flags, word.flag) {
			return alert{
				level: halted, weight: int64(n),
				text: fmt.Sprintf("Queue %s is %s: %s for %s.", shown(q.Name), word.flag, count(n, "item waits", "items wait"), word.by),
			}, true
		}
	}
	return a, false
}

// findStuck looks for work that waits while nothing starts: in a pool without progress;
// for a slot of max_active, all of which are with items that began long ago; or for
// whatever else, as far as the samples tell.
func (s *sample) findStuck(q *cmwq.QueueSnapshot, t *track, by []holder, patience time.Duration) (a alert, ok bool) {
	n := t.waiting
	if n == 0 || slices.Contains(q.Flags, "paused") || slices.Contains(q.Flags, "frozen") {
		return a, false
	}
	a = alert{level: stuck}
	for i := range q.Shares {
		sh := &q.Shares[i]
		p := s.pools[sh.Pool]
		if p == nil || len(sh.Pending) == 0 || p.Hung < patience {
			continue
		}
		a.weight = int64(p.Hung)
		a.text = fmt.Sprintf("Queue %s: %s in pool %s, nothing started there for %s%s.",
			shown(q.Name), count(n, "item waits", "items wait"), p.Name, ago(p.Hung), culprit(p.by, q.Name))
		a.advice = adviceFor(p.by)
		return a, true
	}
	if since := slotsHeld(q, by); since >= patience {
		a.weight = int64(since)
		a.text = fmt.Sprintf("Queue %s: %s for a slot of max_active %d, nothing started for %s%s.",
			shown(q.Name), count(n, "item waits", "items wait"), len(by), ago(since), culprit(by, q.Name))
		a.advice = "Raise max_active, or find out why these items take so long."
		if q.Kind == "ordered" {
			a.advice = "Its items run one at a time: find out why this one takes so long."
		}
		return a, true
	}
	if d := s.snap.At.Sub(t.moved); d >= patience {
		a.weight = int64(d)
		a.text = fmt.Sprintf("Queue %s: %s, nothing started for %s%s.",
			shown(q.Name), count(n, "item waits", "items wait"), ago(d), culprit(by, q.Name))
		return a, true
	}
	return a, false
}

// slotsHeld says since when all slots of a queue are with its executions, while items
// wait for one: since the last of those began.
func slotsHeld(q *cmwq.QueueSnapshot, by []holder) time.Duration {
	active, inactive := 0, 0
	for i := range q.Shares {
		active += q.Shares[i].Active
		inactive += q.Shares[i].Inactive
	}
	if inactive == 0 || len(by) == 0 || len(by) < active {
		return 0
	}
	return by[len(by)-1].For
}

// Advice on what holds a worker that others could have had.
const (
	adviceHog   = "Declare the queue CPUIntensive, or have long items call ctx.Yield."
	adviceBlock = "Wrap what blocks in ctx.Block, or use ctx.Sleep and cmwq.Await: then another item starts at once."
)

// findHog looks for an item that has the CPU for long.
func findHog(q *cmwq.QueueSnapshot, by []holder) (a alert, ok bool) {
	for _, e := range by {
		runs := e.where != nil && !e.where.Blocked() && e.State == "running"
		if (e.State == "hog" && !e.blocked() || runs) && e.For >= curious {
			return alert{
				level: hogs, worker: e.Worker, weight: int64(e.For), advice: adviceHog,
				text: fmt.Sprintf("Queue %s: %s has had the CPU for %s in %s%s.", shown(q.Name), e.Worker, ago(e.For), shortFunc(e.Func), e.at()),
			}, true
		}
	}
	return a, false
}

// findSilent looks for an item that is assumed asleep, or is seen to be, and has not said
// that it sleeps.
func findSilent(q *cmwq.QueueSnapshot, by []holder) (a alert, ok bool) {
	for _, e := range by {
		if e.For < curious || e.State == "sleeping" || e.State != "assumed asleep" && !e.blocked() {
			continue
		}
		return alert{
			level: silent, worker: e.Worker, weight: int64(e.For), advice: adviceBlock,
			text: fmt.Sprintf("Queue %s: %s blocks in %s for %s, and has not said so%s.", shown(q.Name), e.Worker, shortFunc(e.Func), ago(e.For), e.at()),
		}, true
	}
	return a, false
}
