package main

import "iter"

// An early listing begins before there is a queue to run it on: to make an actor
// system takes milliseconds, which is long for a small tree, and one CPU of two.
type early struct {
	next  func() ([]file, bool)
	end   func()
	wait  func(f func()) // runs what waits for the disk
	whole bool           // nothing has stopped it
	found chan [][]file  // before the system was ready
	ready chan struct{}  // closed when it is
}

// listEarly lists until the system is ready, or as far ahead as is allowed.
func listEarly(list source, stopped func() bool) *early {
	e := &early{
		wait:  func(f func()) { f() },
		whole: true,
		found: make(chan [][]file, 1),
		ready: make(chan struct{}),
	}
	e.next, e.end = iter.Pull(batches(list(func(f func()) bool {
		e.wait(f)
		e.whole = !stopped()
		return e.whole
	})))
	go func() { e.found <- e.first() }()
	return e
}

func (e *early) first() (found [][]file) {
	for len(found) < ahead {
		select {
		case <-e.ready:
			return found
		default:
		}
		batch, ok := e.next()
		if !ok {
			break
		}
		found = append(found, batch)
	}
	return found
}

// all yields what was found and then the rest, which waits by way of wait.
func (e *early) all(found [][]file, wait func(f func())) iter.Seq[[]file] {
	e.wait = wait
	return func(yield func([]file) bool) {
		defer e.end()
		for _, batch := range found {
			if !yield(batch) {
				return
			}
		}
		for batch, ok := e.next(); ok && yield(batch); batch, ok = e.next() {
		}
	}
}
