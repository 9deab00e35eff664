package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever is asked for, and when, things happen in the order of time, then of
// asking; each once.
func TestClockOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	type event struct {
		at  time.Duration
		seq int
	}
	var c clock
	var asked, got []event
	var ask func()
	ask = func() {
		e := event{c.now + time.Duration(r.IntN(20)), len(asked)}
		asked = append(asked, e)
		c.after(e.at-c.now, func() {
			require.Equal(t, e.at, c.now)
			got = append(got, e)
			for len(asked) < 5000 && r.IntN(3) > 0 {
				ask()
			}
		})
	}
	for range 100 {
		ask()
	}
	for c.step(1 << 40) {
	}
	want := slices.Clone(asked)
	slices.SortStableFunc(want, func(a, b event) int { return int(a.at - b.at) })
	require.Equal(t, want, got)
	require.Greater(t, len(got), 100)
	require.LessOrEqual(t, len(c.do), 5000)
	require.Len(t, c.free, len(c.do), "every slot is free again")
}

// What is not due by then does not happen.
func TestClockUntil(t *testing.T) {
	t.Parallel()
	var c clock
	ran := false
	c.after(5, func() { ran = true })
	require.False(t, c.step(4))
	require.False(t, ran)
	require.True(t, c.step(5))
	require.True(t, ran)
	require.False(t, c.step(1<<40))
}
