package actors

// waiter waits for an instance of an item: a caller that flushes it or stops it, or an
// item that is to be queued after it. It is told once, in a pool's or the delayer's turn,
// and must not wait: err is why nobody knows any more how it ended, errMoved or
// ErrStopped; failure is that of the instance, if it ended.
type waiter interface{ told(err, failure error) }

// sleeper is a waiter that sleeps until it is told; the channel has room for that.
type sleeper chan error

func (c sleeper) told(err, _ error) { c <- err }

func releaseAll(l []waiter, err, failure error) {
	for _, w := range l {
		w.told(err, failure)
	}
}

// split tells callers from items that are to be queued afterwards.
func split(l []waiter) (callers, after []waiter) {
	for _, w := range l {
		if _, ok := w.(sleeper); ok {
			callers = append(callers, w)
		} else {
			after = append(after, w)
		}
	}
	return callers, after
}

// lastFailure is that of the last item of a lease that is done: the one that somebody
// may have waited for.
func (w *worker) lastFailure() (err error) {
	if w.failedAt > 0 && w.failedAt == w.report.Ran {
		err = w.failure
	}
	w.failure = nil
	return err
}
