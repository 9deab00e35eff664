package policy_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/policy"
)

func drawLimits(t *rapid.T, name string) policy.TimeLimits {
	d := rapid.OneOf(rapid.Just(time.Duration(0)), rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.IntRange(1, 50).Draw(t, "ms"))
	}))
	return policy.TimeLimits{Wait: d.Draw(t, name+".wait"), Run: d.Draw(t, name+".run"), Until: d.Draw(t, name+".until")}
}

// An item has its turn, and its end, by both limits together as it would by the one
// that is over first.
func TestTimeLimitsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawLimits(t, "a"), drawLimits(t, "b")
		came := time.Duration(rapid.IntRange(0, 60).Draw(t, "came"))
		now := time.Duration(rapid.IntRange(0, 60).Draw(t, "now"))
		both := a.And(b)
		require.Equal(t, both, b.And(a))
		require.Equal(t, a.Any() || b.Any(), both.Any())

		_, _, lateA := a.Turn(came, now)
		_, _, lateB := b.Turn(came, now)
		waited, _, late := both.Turn(came, now)
		require.Equal(t, lateA || lateB, late)
		require.Equal(t, max(0, now-came), waited)

		endA, _, okA := a.End(now)
		endB, _, okB := b.End(now)
		end, _, ok := both.End(now)
		require.Equal(t, okA || okB, ok)
		switch {
		case okA && okB:
			require.Equal(t, min(endA, endB), end)
		case ok:
			require.Equal(t, max(endA, endB), end)
		}
	})
}

// Whoever has the patience for its wait is not late, and late an instant after.
func TestPatienceIsUntilTheTurnIsLate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLimits(t, "l")
		now := time.Duration(rapid.IntRange(0, 60).Draw(t, "now"))
		d, limit, ok := l.Patience(now)
		if !ok {
			_, _, late := l.Turn(now, math.MaxInt64)
			require.False(t, late)
			return
		}
		_, by, late := l.Turn(now, now+d)
		require.True(t, late)
		if limit > 0 { // who is late by both is told of its own limit
			require.Equal(t, limit, by)
		}
		if d > 0 {
			_, _, late = l.Turn(now, now+d-1)
			require.False(t, late)
		}
	})
}

func TestTimeLimits(t *testing.T) {
	l := policy.TimeLimits{Wait: 10, Run: 5, Until: 18}
	turn := func(came, now time.Duration) []any {
		waited, limit, late := l.Turn(came, now)
		return []any{int(waited), int(limit), late}
	}
	require.Equal(t, []any{9, 0, false}, turn(1, 10))
	require.Equal(t, []any{10, 10, true}, turn(1, 11))
	require.Equal(t, []any{0, 0, false}, turn(15, 12), "flushed before it was due")
	require.Equal(t, []any{3, 0, true}, turn(15, 18), "the submitter's deadline")

	end := func(now time.Duration) []any {
		e, limit, ok := l.End(now)
		return []any{int(e), int(limit), ok}
	}
	require.Equal(t, []any{15, 5, true}, end(10))
	require.Equal(t, []any{18, 0, true}, end(17))
	l = policy.TimeLimits{Run: math.MaxInt64}
	require.Equal(t, []any{math.MaxInt64, math.MaxInt64, true}, end(10), "the end of time does not wrap")
	l = policy.TimeLimits{}
	require.Equal(t, []any{0, 0, false}, end(10))
	require.False(t, l.Any())
}
