package actors

import (
	"slices"

	"github.com/cmwq/cmwq/messages"
)

// behind keeps what waits at the delayer for items to end, and not for time. Items are
// found by their address: who else might have them is not asked.
type behind struct {
	after map[*messages.Item]*dependent // armed until others have ended
	waits waits                         // who waits for an item that is armed by time
}

// armAfter takes a dependent item in. Those it waits for may have ended by now.
func (d *delayer) armAfter(dep *dependent) {
	if d.after == nil {
		d.after = map[*messages.Item]*dependent{}
	}
	d.after[dep.item] = dep
	dep.queue.gets().delayed.Add(1)
	d.decide(dep)
}

func (d *delayer) onEdge(m *edgeEnded) {
	dep := m.edge.dep
	dep.pol.Ended(m.failure == nil)
	if dep.failure == nil {
		dep.failure = m.failure
	}
	if d.after[dep.item] == dep {
		d.decide(dep)
	}
}

// decide queues or skips a dependent item, if it is time.
func (d *delayer) decide(dep *dependent) {
	it, q := dep.item, dep.queue
	switch {
	case dep.pol.Skip():
		d.forgets(dep)
		err := &messages.DependencyError{Err: dep.failure}
		d.sys.drop(it, err)
		dep.release(err)
	case dep.pol.Ready():
		d.forgets(dep)
		it.Home = dep.home
		it.When = q.sys.nanos() // it waits for a worker from now on
		callers, after := split(dep.waiters)
		if err := q.release(it, after); err != nil {
			d.sys.drop(it, err)
			d.lose(q, err)
			releaseAll(after, nil, err)
		}
		releaseAll(callers, errMoved, nil)
	}
}

// release tells who waited for an instance that will not run.
func (dep *dependent) release(failure error) {
	releaseAll(dep.waiters, nil, failure)
	dep.waiters = nil
}

// answerAfter answers an ask about a dependent item.
func (d *delayer) answerAfter(a *ask, dep *dependent) verdict {
	it := a.item
	switch a.what {
	case askFlush, askAfter:
		a.on, a.waits = dep.queue, dep
		dep.waiters = append(dep.waiters, a.by)
		return waiting
	case askModify, askGrab:
		a.what = askGrab
		a.on = dep.queue
		d.forgets(dep)
		var callers []waiter
		callers, a.after = split(dep.waiters)
		d.sys.obs.cancelled(it, nil)
		holdItem(it)
		releaseAll(callers, errMoved, nil)
	default:
		d.forgets(dep)
		dep.queue.bound.give()
		dep.queue.countCancelled(a)
		d.sys.obs.withdrawn(it)
		idleItem(it)
		dep.release(messages.ErrCancelled)
	}
	return removed
}

// dropAfter drops the dependent items of a queue, or all of them, and says which they
// were.
func (d *delayer) dropAfter(q *Queue, why error) (dropped []*messages.Item) {
	for it, dep := range d.after {
		if q == nil || dep.queue == q {
			d.forgets(dep)
			d.sys.drop(it, why)
			dep.release(why)
			dropped = append(dropped, it)
		}
	}
	return dropped
}

// unwait forgets a caller that gave up.
func (d *delayer) unwait(m *unwait) {
	if dep := d.after[m.item]; dep != nil {
		dep.waiters = slices.DeleteFunc(dep.waiters, func(w waiter) bool { return w == waiter(sleeper(m.ended)) })
	}
}

// onArrival arms an item that others wait for.
func (d *delayer) onArrival(m *arrival) {
	if d.waits == nil {
		d.waits = waits{}
	}
	d.waits[m.item] = append(d.waits[m.item], m.after...)
	d.arm(m.item)
}

// dependentOf gives what a dependent item is, nil if it is none.
func (d *delayer) dependentOf(it *messages.Item) *dependent {
	m := &dependentAsk{it, make(chan *dependent, 1)}
	if _, ok := d.mb.post(&messages.NewControl(m).Item); !ok {
		return nil
	}
	return <-m.reply
}

type dependentAsk struct {
	item  *messages.Item
	reply chan *dependent
}

// afterWait is a wait for a dependent item.
type afterWait struct {
	dep   *dependent
	ended chan error
}

func (t *afterWait) over() bool { return len(t.ended) > 0 }

// expand names what it waits for in turn. An item that runs and waits to run again is
// left out: which of both is meant cannot be told.
func (t *afterWait) expand(k *walk) int {
	who := t.dep.queue.party()
	who.Item = true
	n := k.node(0, who)
	for _, e := range t.dep.edges {
		if e.ended.Load() {
			continue
		}
		if s := e.item.State(); s&messages.Pending != 0 && s&messages.Running != 0 {
			continue
		}
		k.g.Edge(n, (&futureWait{item: e.item}).expand(k))
	}
	return n
}

// refuse answers a message that came too late.
func (d *delayer) refuse(msg any) {
	switch m := msg.(type) {
	case *dependentAsk:
		m.reply <- nil
	case *arrival:
		d.sys.drop(m.item, messages.ErrStopped)
		releaseAll(m.after, messages.ErrStopped, nil)
	case *settle:
		m.done <- struct{}{}
	}
}
