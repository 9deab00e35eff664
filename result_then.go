package cmwq

import "github.com/google/uuid"

// awaited is who waits for the result of a future; it is replaced as a whole. nil is
// nobody.
type awaited struct {
	done chan struct{} // I: closed then; nil if nobody asked for it
	then *then         // I: called then, newest first
}

// rare is what few futures have, which would make all of them larger. It is replaced
// as a whole.
type rare struct {
	early *early    // I: what may end it before its turn
	id    uuid.UUID // I: if named
	named bool      // I:
}

func (r *rare) stop() {
	if r != nil {
		r.early.stop()
	}
}

// then is a function that is called when a result is there: by whoever resolves the
// future, which may be a pool's turn. So it must not wait, nor hold a lock while it
// calls the engine.
type then struct {
	call func()
	next *then
}

// resolved marks a future whose result is there.
var resolved = func() *awaited {
	a := &awaited{done: make(chan struct{})}
	close(a.done)
	return a
}()

func (a *awaited) withDone() *awaited {
	next := &awaited{done: make(chan struct{})}
	if a != nil {
		next.then = a.then
	}
	return next
}

func (a *awaited) withThen(call func()) *awaited {
	next := &awaited{then: &then{call: call}}
	if a != nil {
		next.done, next.then.next = a.done, a.then
	}
	return next
}

// tell tells everybody; it is called once.
func (a *awaited) tell() {
	if a == nil {
		return
	}
	if a.done != nil {
		close(a.done)
	}
	for t := a.then; t != nil; t = t.next {
		t.call()
	}
}

// then has call called when the result is there, at once if it is.
func (f *Future[T]) then(call func()) {
	for {
		now := f.state.Load()
		if now == resolved {
			call()
			return
		}
		if f.state.CompareAndSwap(now, now.withThen(call)) {
			return
		}
	}
}
