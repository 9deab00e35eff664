package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The smallest number of idle workers that is too many, by busy ones: what the
// kernel's too_many_workers gives.
func TestTooManyWorkers(t *testing.T) {
	t.Parallel()
	for busy, want := range map[int]int{0: 3, 1: 3, 4: 3, 5: 4, 8: 4, 9: 5, 12: 5, 16: 6, 40: 12, 100: 27} {
		least := 0
		for !TooManyWorkers(least, busy) {
			least++
		}
		require.Equal(t, want, least, "busy %d", busy)
		require.True(t, TooManyWorkers(least+1, busy))
	}
}

func TestClampMaxActive(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{-5: 1, -1: 1, 0: 1024, 1: 1, 2: 2, 1024: 1024, 2047: 2047, 2048: 2048, 2049: 2048, 1 << 40: 2048} {
		limit, clamped := ClampMaxActive(n)
		require.Equal(t, want, limit, n)
		require.Equal(t, n != 0 && limit != n, clamped, n)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int().Draw(t, "n")
		limit, clamped := ClampMaxActive(n)
		require.True(t, 1 <= limit && limit <= MaxActiveLimit)
		again, twice := ClampMaxActive(limit)
		require.Equal(t, limit, again)
		require.False(t, twice)
		require.Equal(t, clamped, n != 0 && n != limit)
	})
}

// drain_workqueue warns at the 10th pass and then at each hundredth up to 1000.
func TestDrainWarns(t *testing.T) {
	t.Parallel()
	var at []int
	for try := range 3000 {
		if DrainWarns(try) {
			at = append(at, try)
		}
	}
	require.Equal(t, []int{10, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000}, at)
}

// Blocked workers are expected for a while after they were seen.
func TestExpectationDecays(t *testing.T) {
	t.Parallel()
	l := learnt{expect: 10, blocked: 4}
	require.Equal(t, 6, l.width(), "those that are known to be blocked need no room")
	for ms := time.Duration(10); ms <= 100; ms += 10 {
		l.decay(ms * time.Millisecond)
	}
	require.InDelta(t, 3.68, l.expect, 0.01, "a factor e in 100 ms")
	require.Equal(t, 0, l.width())
	l.decay(time.Hour)
	require.InDelta(t, 3.01, l.expect, 0.01, "a pause counts for 20 ms")
}

// The width that the age rule added falls by a factor e in 100 ms as well.
func TestAddedWidthDecays(t *testing.T) {
	t.Parallel()
	p, s := NewPool(Managed, 2, 2), NewShare(10, false)
	p.Arrive(s, 1)
	p.Aged(time.Second, 0)
	p.Grow(time.Second, 5)
	require.Equal(t, 2+31, p.Width())
	p.Aged(time.Second+100*time.Millisecond, 0)
	require.Equal(t, 2+11, p.Width())
	p.Grow(time.Second+100*time.Millisecond, 50)
	require.Equal(t, 2+ageBound, p.Width(), "never more than the bound")
}

// A batch of n items weighs as n items do one after the other, roughly, and a
// single sample sets an unknown time.
func TestShareLearnsItemTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := NewShare(1, false)
		lo, hi := time.Duration(1<<62), time.Duration(0)
		for range rapid.IntRange(1, 20).Draw(t, "leases") {
			n := rapid.IntRange(1, LeaseMax).Draw(t, "n")
			d := time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "d"))
			per := max(1, d/time.Duration(n))
			lo, hi = min(lo, per), max(hi, per+1)
			first := s.item == 0
			s.learn(n, d)
			require.True(t, lo <= s.item && s.item <= hi, "%v is outside of what was seen, %v to %v", s.item, lo, hi)
			require.True(t, !first || s.item == per, "the first sample sets it")
		}
		s.learn(0, time.Second)
		require.LessOrEqual(t, s.item, hi)
	})
}
