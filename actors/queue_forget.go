package actors

import "slices"

// forget drops a waiter whose context ended; what it asked for goes on.
func (a *queueActor) forget(done chan<- error) {
	a.epochs = slices.DeleteFunc(a.epochs, func(w epochWait) bool { return w.done == done })
	if d := a.drain; d != nil {
		is := func(w recipient) bool { return w.done == done }
		d.drains = slices.DeleteFunc(d.drains, is)
		d.destroy = slices.DeleteFunc(d.destroy, is)
	}
}
