package supervisor

import (
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Retry runs an item again, at most so many times: it runs most+1 times in all. A
// negative number is no limit. Each time it waits as backoff says; the zero Backoff does
// not wait. When it is not to be run again, it is reported; see Then.
//
// cmwq.Permanent marks an error after which no retry makes sense, and cmwq.RetryAfter
// one that knows better how long to wait.
func Retry(most int, backoff Backoff) *RetryStrategy {
	return &RetryStrategy{max: most, backoff: backoff, then: Report()}
}

// RetryStrategy is a Retry. It is immutable.
type RetryStrategy struct {
	max     int
	backoff Backoff
	then    Strategy
}

// Then gives a strategy that does the same, but asks s about an item that is not
// to be run again: it has been often enough, its error is permanent or
// cmwq.ErrCancelled, its submitter's deadline has come, its queue drains, or it is an item
// of a series.
func (r *RetryStrategy) Then(s Strategy) *RetryStrategy {
	next := *r
	next.then = s
	return &next
}

// Decide follows messages.Strategy.
func (r *RetryStrategy) Decide(f Failure, now time.Duration, m *Memory) Action {
	if hopeless(f.Err) || f.Final || r.max >= 0 && f.Attempt > r.max {
		return r.then.Decide(f, now, m)
	}
	var after time.Duration
	if told, ok := errors.AsType[*messages.RetryAfterError](f.Err); ok {
		after = told.After
	} else {
		after = r.backoff.wait(f.Attempt, r, m)
	}
	return Action{Do: messages.Retry, After: max(0, after)}
}

// hopeless says whether another attempt makes no sense: it would find the submitter's
// deadline over, too.
func hopeless(err error) bool {
	if t, ok := errors.AsType[*messages.TimeoutError](err); ok && t.Limit == 0 {
		return true
	}
	_, never := errors.AsType[*messages.PermanentError](err)
	return never || errors.Is(err, messages.ErrCancelled)
}

// Err says what is wrong with the strategy, nil if nothing is.
func (r *RetryStrategy) Err() error { return errors.Join(r.backoff.err(), Check(r.then)) }

// Check says what is wrong with a strategy, nil if nothing is: with one of this
// package, or with one that has a method Err() error. It wraps cmwq.ErrOption.
func Check(s Strategy) error {
	if s == nil {
		return fmt.Errorf("%w: no strategy", messages.ErrOption)
	}
	if c, ok := s.(interface{ Err() error }); ok {
		return c.Err()
	}
	return nil
}

// Err says whether the limit makes sense.
func (s deadLetter) Err() error {
	if s.limit < 1 {
		return fmt.Errorf("%w: DeadLetter(%d)", messages.ErrOption, s.limit)
	}
	return nil
}
