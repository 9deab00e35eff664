package actors

import "github.com/cmwq/cmwq/messages"

// park keeps an item for the worker that runs it now: it may not run twice at
// once. The worker takes it next.
func (p *pool) park(w *worker, it *messages.Item) {
	p.unlist(it)
	it.List = messages.OnParked | it.List&messages.Awaited
	w.parked.append(it, it)
	p.parked(home(it))
	w.lookAgain()
}

// unpark puts the items that only this worker could take at the worklist's head:
// it is the first to be offered work.
func (p *pool) unpark(w *worker) {
	for it := w.parked.last; it != nil; it = w.parked.last {
		p.unparkItem(w, it)
	}
}

func (p *pool) unparkItem(w *worker, it *messages.Item) {
	w.parked.remove(it)
	it.List = messages.OnWorklist | it.List&messages.Awaited
	p.relist(w, it)
	p.pol.Unpark(&home(it).pol)
}

// letGo lets others take the items that waited for a worker which has ended them, and
// runs the next of its lease: that one may take long, or wait for them.
func (p *pool) letGo(w *worker) {
	if p.stopped {
		return
	}
	for it := w.parked.last; it != nil; {
		prev := it.Prev
		if p.runs(it) != w {
			p.unparkItem(w, it)
		}
		it = prev
	}
	for it := w.passing.first; it != nil; {
		next := it.Next
		if p.runs(it) != w {
			w.passing.remove(it)
			p.passOn(it)
		}
		it = next
	}
}

// passAll passes on the items that waited for their worker.
func (p *pool) passAll(w *worker) {
	for w.passing.first != nil {
		p.passOn(w.passing.shift())
	}
}

func (p *pool) passOn(it *messages.Item) {
	callers, after := split(p.waits.take(it))
	p.passCounted(home(it), it, after)
	releaseAll(callers, errMoved, nil)
}
