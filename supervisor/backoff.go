package supervisor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Backoff says how long an item waits before it runs again. The zero Backoff does not
// wait.
type Backoff struct {
	base, limit time.Duration
	grows       bool
	exact       bool
	seeded      bool
	seed        uint64
	custom      func(attempt int) time.Duration
}

// Constant waits d each time.
func Constant(d time.Duration) Backoff { return Backoff{base: d, limit: d, exact: true} }

// Exponential waits up to base after the first failure, and up to twice as long after
// each further one, but never longer than limit: any time below that with equal
// probability ("full jitter"), so that items that failed together do not come back
// together.
func Exponential(base, limit time.Duration) Backoff {
	return Backoff{base: base, limit: limit, grows: true}
}

// Custom asks f, which is told how often the item has failed: 1 at first.
func Custom(f func(attempt int) time.Duration) Backoff { return Backoff{custom: f} }

// Exact waits the longest time always, without jitter.
func (b Backoff) Exact() Backoff { b.exact = true; return b }

// Seed makes the random times of a queue always the same, for tests.
func (b Backoff) Seed(seed uint64) Backoff { b.seed, b.seeded = seed, true; return b }

// Longest is the longest time to wait after so many failures.
func (b Backoff) Longest(attempt int) time.Duration {
	switch {
	case b.custom != nil:
		return b.custom(attempt)
	case !b.grows || b.base <= 0:
		return b.base
	}
	if shift := max(0, attempt-1); shift < 63 && b.base <= b.limit>>shift {
		return b.base << shift
	}
	return b.limit
}

// wait is how long to wait; the random numbers are those of key in the memory.
func (b Backoff) wait(attempt int, key any, m *Memory) time.Duration {
	d := b.Longest(attempt)
	if b.exact || b.custom != nil || d <= 0 {
		return d
	}
	r := m.Of(key, func() any {
		seed := m.Seed
		if b.seeded {
			seed = b.seed
		}
		return rand.New(rand.NewPCG(seed, 0))
	}).(*rand.Rand)
	return time.Duration(r.Int64N(int64(min(d, math.MaxInt64-1)) + 1))
}

func (b Backoff) err() error {
	if b.base < 0 || b.limit < b.base {
		return fmt.Errorf("%w: a back-off from %v to %v", messages.ErrOption, b.base, b.limit)
	}
	return nil
}
