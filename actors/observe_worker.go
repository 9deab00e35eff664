package actors

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// seen is what a worker tells of the present execution. It is kept, since what the item's
// owner may change meanwhile must not be read at the end.
type seen struct {
	event messages.Event // W:
	began time.Duration  // W:
	open  bool           // W: its start was told, and not its end
}

// starts tells that the present item is about to be called.
func (w *worker) starts(t *timed) {
	o, now, s := w.pool.obs, w.pool.sys.now(), &t.seen
	s.open, s.began = true, now
	code, values := lookInto(w.cur, t.f)
	s.event = messages.Event{
		Queue: w.home.queue.name, Pool: w.pool.label, Worker: w.name, CPU: w.pool.cpu, Attempt: attempt(w.tries),
		Wait: max(0, now-t.came), Submitter: values,
	}
	s.event.About(w.cur, code)
	if w.report.Ran > w.active && o.want(messages.EventActivate) {
		a := s.event
		a.Submitter = nil
		o.tell(messages.EventActivate, now, &a)
	}
	if o.want(messages.EventStart) {
		o.tell(messages.EventStart, now, &s.event)
	}
}

// ends tells that it has returned, if its start was told.
func (w *worker) ends(err error) {
	t := w.timed
	if t == nil || !t.open {
		return
	}
	o, now, s := w.pool.obs, w.pool.sys.now(), &t.seen
	s.open = false
	if o.want(messages.EventEnd) {
		s.event.Err, s.event.Run = err, now-s.began
		o.tell(messages.EventEnd, now, &s.event)
	}
	s.event = messages.Event{} // keeps nothing alive
}

// fails tells that the present item has failed. It runs still, for all others.
func (w *worker) fails(it *messages.Item, f messages.Func, err error) {
	if !w.pool.obs.want(messages.EventFail) {
		return
	}
	e := w.event(it, codeOf(it, f))
	e.Err, e.Attempt = err, attempt(w.tries)
	w.pool.obs.tell(messages.EventFail, w.pool.sys.now(), &e)
}

func (w *worker) event(it *messages.Item, code uintptr) messages.Event {
	e := messages.Event{Queue: w.home.queue.name, Pool: w.pool.label, Worker: w.name, CPU: w.pool.cpu}
	e.About(it, code)
	return e
}

// sleeps tells that the present item has declared a sleep.
func (w *worker) sleeps() {
	if w.pool.obs != nil {
		w.nap(messages.EventSleep, w.since, 0)
	}
}

// wakes tells that it has ended it, after d.
func (w *worker) wakes(d time.Duration) {
	if w.pool.obs != nil {
		w.nap(messages.EventWake, w.since+d, d)
	}
}

func (w *worker) nap(k messages.EventKind, at, d time.Duration) {
	if w.cur == nil || !w.pool.obs.want(k) {
		return
	}
	e := w.event(w.cur, codeOf(w.cur, w.lease.Func()))
	e.Run = d
	w.pool.obs.tell(k, at, &e)
}
