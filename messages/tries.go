package messages

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Tries is what is known of an item that failed and may run again. It hangs on the
// item while that is pending: whoever owns PENDING may take it off. While the item
// runs its worker has it.
//
// A failed item waits, armed, at the delayer for what the strategy says: its phase
// is who has the last word. The queue's actor may end it, and nobody else may then
// take it off; until then a cancel, or the end of the queue, may.
type Tries struct {
	Count  int           // executions that failed
	First  error         // of the first
	Last   error         // of the last
	Since  time.Duration // when the first failed
	Came   time.Duration // when the item came to its queue for the present execution
	Series bool          // the item runs for a series: it is not retried

	phase atomic.Uint32         // A:
	ended atomic.Pointer[error] // A: why there is no other execution
}

// End notes that there will be no other execution, and why. The first reason stays.
func (t *Tries) End(why error) { t.ended.CompareAndSwap(nil, &why) }

// Ended says why there is none; nil if there may be one, or if the last was done.
func (t *Tries) Ended() error {
	if e := t.ended.Load(); e != nil {
		return *e
	}
	return nil
}

const (
	open      = uint32(iota) // it runs, or is to run again
	undecided                // it waits for the strategy
	final                    // the strategy has given it up
)

// Fail notes a failure.
func (t *Tries) Fail(err error, now time.Duration) {
	if t.Count == 0 {
		t.First, t.Since = err, now
	}
	t.Count++
	t.Last = err
}

// Wait begins to wait for the strategy.
func (t *Tries) Wait() { t.phase.Store(undecided) }

// Waits says whether it does.
func (t *Tries) Waits() bool { return t.phase.Load() == undecided }

// Decide ends the wait with another execution, or with a cancel; false if it had ended.
func (t *Tries) Decide() bool { return t.phase.CompareAndSwap(undecided, open) }

// GiveUp ends the wait with the item's end; false if it had ended.
func (t *Tries) GiveUp() bool { return t.phase.CompareAndSwap(undecided, final) }

// Release says, once, that the item was given up.
func (t *Tries) Release() bool { return t.phase.CompareAndSwap(final, open) }

// GivenUp says whether it was.
func (t *Tries) GivenUp() bool { return t.phase.Load() == final }

// Tries gives what hangs on a pending item to its owner, nil for most.
func (it *Item) Tries() *Tries {
	if x := it.ext.Load(); x != nil {
		return x.Tries
	}
	return nil
}

// Tried hangs t on an item that the caller owns; nil takes it off.
func (it *Item) Tried(t *Tries) {
	if x := it.ext.Load(); x != nil {
		x.Tries = t
	} else if t != nil {
		it.Extend(&Ext{Tries: t})
	}
}

// ErrGivenUp is why an item that failed was dropped by its queue's strategy.
var ErrGivenUp = errors.New("cmwq: work failed and was given up")

// PermanentError is a failure that is never retried.
type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return e.Err.Error() }

// Unwrap gives the error itself.
func (e *PermanentError) Unwrap() error { return e.Err }

// RetryAfterError is a failure that says when to try again.
type RetryAfterError struct {
	After time.Duration
	Err   error
}

func (e *RetryAfterError) Error() string { return fmt.Sprintf("%v (again after %v)", e.Err, e.After) }

// Unwrap gives the error itself.
func (e *RetryAfterError) Unwrap() error { return e.Err }

// RetryError is the end of an item that was to be run again and will not. It wraps
// both the reason and the error of its last execution.
type RetryError struct {
	Attempts int   // executions that failed
	Last     error // of the last of them
	Cause    error // why there is no other: ErrDestroyed, ErrDraining, ErrStopped, ErrGivenUp
}

func (e *RetryError) Error() string {
	return fmt.Sprintf("%v after attempt %d: %v", e.Cause, e.Attempts, e.Last)
}

// Unwrap gives both.
func (e *RetryError) Unwrap() []error { return []error{e.Cause, e.Last} }
