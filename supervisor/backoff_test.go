package supervisor_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/supervisor"
)

// waits are the first n waits of a queue.
func waits(b supervisor.Backoff, seed uint64, n int) (list []time.Duration) {
	s := supervisor.Retry(-1, b)
	m := supervisor.Memory{Seed: seed}
	for i := range n {
		list = append(list, s.Decide(supervisor.Failure{Err: errA, Attempt: i + 1}, 0, &m).After)
	}
	return list
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, tt := range map[string]struct {
		b    supervisor.Backoff
		want []time.Duration
	}{
		"none":        {supervisor.Backoff{}, []time.Duration{0, 0, 0}},
		"constant":    {supervisor.Constant(s), []time.Duration{s, s, s}},
		"exponential": {supervisor.Exponential(s, 5*s).Exact(), []time.Duration{s, 2 * s, 4 * s, 5 * s, 5 * s}},
		"base zero":   {supervisor.Exponential(0, s), []time.Duration{0, 0}},
		"custom":      {supervisor.Custom(func(n int) time.Duration { return time.Duration(n) }), []time.Duration{1, 2, 3}},
		"negative":    {supervisor.Custom(func(int) time.Duration { return -s }), []time.Duration{0, 0}},
	} {
		assert.Equal(t, tt.want, waits(tt.b, 1, len(tt.want)), name)
	}
}

func TestExponentialNeverOverflows(t *testing.T) {
	t.Parallel()
	b := supervisor.Exponential(1, math.MaxInt64)
	last := time.Duration(0)
	for n := range 200 {
		d := b.Longest(n + 1)
		require.GreaterOrEqual(t, d, last)
		last = d
	}
	require.EqualValues(t, math.MaxInt64, last)
	for _, d := range waits(b, 1, 200) {
		require.GreaterOrEqual(t, d, time.Duration(0))
	}
}

// Full jitter: any time up to the longest, all about as likely, and never longer.
func TestJitter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := time.Duration(rapid.Int64Range(1, 1<<40).Draw(t, "base"))
		b := supervisor.Exponential(base, base*64)
		for i, d := range waits(b, rapid.Uint64().Draw(t, "seed"), 20) {
			require.LessOrEqual(t, d, b.Longest(i+1))
			require.GreaterOrEqual(t, d, time.Duration(0))
		}
	})
	var quarters [4]int
	flat := supervisor.Exponential(time.Hour, time.Hour)
	for _, d := range waits(flat, 7, 4000) {
		quarters[min(3, d/(15*time.Minute))]++
	}
	for _, n := range quarters {
		require.InDelta(t, 1000, n, 150)
	}
}

func TestSeed(t *testing.T) {
	t.Parallel()
	b := supervisor.Exponential(time.Hour, time.Hour)
	require.NotEqual(t, waits(b, 1, 10), waits(b, 2, 10), "each queue has its own numbers")
	require.Equal(t, waits(b.Seed(3), 1, 10), waits(b.Seed(3), 2, 10))
	require.NotEqual(t, waits(b.Seed(3), 1, 10), waits(b.Seed(4), 1, 10))
}

// One strategy may serve many queues: what it remembers is theirs.
func TestMemoryIsTheQueues(t *testing.T) {
	t.Parallel()
	s := supervisor.AtMost(1, time.Hour, supervisor.Ignore()).Then(supervisor.Escalate())
	var a, b supervisor.Memory
	do := func(m *supervisor.Memory) any { return s.Decide(supervisor.Failure{Err: errA}, 0, m).Do }
	require.Equal(t, supervisor.DoIgnore, do(&a))
	require.Equal(t, supervisor.DoIgnore, do(&b))
	require.Equal(t, supervisor.DoEscalate, do(&a))
	b.Forget()
	require.Equal(t, supervisor.DoIgnore, do(&b))
}

// The period is open at its far end: a failure just so long ago does not count.
func TestPeriodOfAtMost(t *testing.T) {
	t.Parallel()
	const s = time.Second
	strategy := supervisor.AtMost(2, 10*s, supervisor.Ignore()).Then(supervisor.Escalate())
	for _, tt := range []struct {
		at   []time.Duration
		want string // i for ignored, e for escalated
	}{
		{[]time.Duration{0, s, 2 * s}, "iie"},
		{[]time.Duration{0, 5 * s, 10 * s}, "iii"},
		{[]time.Duration{0, 5 * s, 10*s - 1}, "iie"},
		{[]time.Duration{0, 0, 0, 0, 0, 0}, "iieiie"},
		{[]time.Duration{0, 9 * s, 18 * s, 18 * s}, "iiie"},
	} {
		var m supervisor.Memory
		got := ""
		for _, at := range tt.at {
			if strategy.Decide(supervisor.Failure{Err: errA, Attempt: 1}, at, &m).Do == supervisor.DoIgnore {
				got += "i"
			} else {
				got += "e"
			}
		}
		require.Equal(t, tt.want, got, "%v", tt.at)
	}
}
