package load

import (
	"fmt"
	"sync/atomic"
	"time"
)

// tally counts the tasks of a cell as they end.
type tally struct {
	left atomic.Int64
	n    int64
	done chan struct{}
}

func newTally(n int) *tally {
	t := &tally{n: int64(n), done: make(chan struct{})}
	t.left.Store(t.n)
	return t
}

// one is called by a task that ends.
func (t *tally) one() {
	if t.left.Add(-1) == 0 {
		close(t.done)
	}
}

// wait waits until all have ended.
func (t *tally) wait(most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-t.done:
		return nil
	case <-timer.C:
		return fmt.Errorf("%w: %d of %d in %v", ErrLost, t.n-t.left.Load(), t.n, most)
	}
}

// once says, when the system has ended, whether each has run once.
func (t *tally) once() error {
	if left := t.left.Load(); left != 0 {
		return fmt.Errorf("%w: %d of %d", ErrLost, t.n-left, t.n)
	}
	return nil
}
