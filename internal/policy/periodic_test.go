package policy_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/policy"
)

// slowSeries is a periodic item written out: the instants are a list, and each has a
// fate of its own.
type slowSeries struct {
	instants []time.Duration
	catchUp  policy.CatchUp
	next     int // first instant that has not come
	owed     int
	runs     int64
	missed   int64
}

// fire looks at one instant after the other.
func (m *slowSeries) fire(now time.Duration) (try bool) {
	for m.next < len(m.instants) && m.instants[m.next] <= now {
		if try && m.catchUp != policy.All {
			m.missed++ // of several only the newest counts
		}
		if m.catchUp == policy.All {
			m.owed++
		}
		try = true
		m.next++
	}
	return try
}

func (m *slowSeries) queued(ok bool) {
	switch {
	case ok && m.catchUp == policy.All:
		m.owed, m.runs = m.owed-1, m.runs+1
	case ok:
		m.runs++
	case m.catchUp != policy.All:
		m.missed++
	}
}

// drawRule draws a rule and all its instants up to a horizon.
func drawRule(t *rapid.T, horizon time.Duration) (rule policy.Rule, first time.Duration, instants []time.Duration) {
	first = time.Duration(rapid.IntRange(-50, 50).Draw(t, "first"))
	if rapid.Bool().Draw(t, "interval") {
		every := time.Duration(rapid.IntRange(1, 40).Draw(t, "every"))
		for i := range 1 << 20 { // base + i·interval, not one after the other
			at := first + time.Duration(i)*every
			if at > horizon {
				break
			}
			instants = append(instants, at)
		}
		return policy.Every(every), first, instants
	}
	gaps := rapid.SliceOfN(rapid.IntRange(1, 40), 0, 60).Draw(t, "gaps")
	instants = []time.Duration{first}
	for _, g := range gaps {
		instants = append(instants, instants[len(instants)-1]+time.Duration(g))
	}
	list := instants
	return policy.Calendar(func(after time.Duration) (time.Duration, bool) {
		i, found := slices.BinarySearch(list, after)
		if found {
			i++
		}
		if i == len(list) {
			return 0, false
		}
		return list[i], true
	}), first, instants
}

// TestSeriesAgreesWithASlowModel wakes a series early, on time and late, at random,
// with an item that can be queued or not: it runs for the instants that a list of them
// says, and each is accounted for.
func TestSeriesAgreesWithASlowModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const horizon = 1000
		catchUp := rapid.SampledFrom([]policy.CatchUp{policy.Skip, policy.Once, policy.All}).Draw(t, "catch up")
		jitter := time.Duration(rapid.IntRange(0, 10).Draw(t, "jitter"))
		rule, first, instants := drawRule(t, horizon)
		s := policy.NewSeries(rule, catchUp, jitter, first, rapid.Uint64().Draw(t, "random"))
		m := &slowSeries{instants: instants, catchUp: catchUp}
		now := time.Duration(-60)
		fired := now
		try := func(t *rapid.T) {
			ok := rapid.Bool().Draw(t, "queued")
			s.Queued(ok)
			m.queued(ok)
		}
		t.Repeat(map[string]func(*rapid.T){
			"wake": func(t *rapid.T) {
				now = min(horizon, now+time.Duration(rapid.IntRange(0, 60).Draw(t, "sleep")))
				at, more := s.Due()
				if now < at || !more {
					require.False(t, s.Fire(now, 0), "nothing is due")
					return
				}
				fired = now
				require.True(t, m.fire(now), "the instant has come")
				require.True(t, s.Fire(now, rapid.Uint64().Draw(t, "random")))
				try(t)
			},
			"a run ended": func(t *rapid.T) {
				require.Equal(t, m.owed > 0, s.Again())
				if m.owed > 0 {
					try(t)
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, []int64{m.runs, m.missed, int64(m.owed)}, []int64{s.Runs, s.Missed, int64(s.Owed())})
				require.EqualValues(t, m.next, s.Runs+s.Missed+int64(s.Owed()), "every instant is accounted for")
				at, more := s.Due()
				if m.next < len(m.instants) {
					require.True(t, more)
					due := m.instants[m.next]
					require.True(t, due > fired && at >= due && at < due+max(jitter, 1), "the next instant of the rule, whenever it was looked at")
				}
			},
		})
	})
}

func TestSeriesAllRunsAsOftenAsItWasDue(t *testing.T) {
	s := policy.NewSeries(policy.Every(10), policy.All, 0, 10, 0)
	require.True(t, s.Fire(57, 0))
	runs := 0
	for try := true; try; try = s.Again() {
		s.Queued(true)
		runs++
	}
	require.Equal(t, 5, runs)
	at, more := s.Due()
	require.Equal(t, []any{time.Duration(60), true}, []any{at, more})
}

func TestSeriesAfterTheClockWasSetBack(t *testing.T) {
	s := policy.NewSeries(policy.Every(10), policy.Once, 0, 100, 0)
	require.False(t, s.Fire(60, 0), "the timer was right, the clock was changed")
	at, _ := s.Due()
	require.EqualValues(t, 100, at)
	require.True(t, s.Fire(100, 0))
}

func TestEveryFarAway(t *testing.T) {
	n, next, more := policy.Every(math.MaxInt64/2+2).Pass(0, math.MaxInt64-5)
	require.Equal(t, []any{2, false}, []any{n, more}, "no instant beyond the end of time: %d", next)
	n, next, more = policy.Every(1).Pass(0, math.MaxInt64-5)
	require.Equal(t, []any{math.MaxInt64 - 4, time.Duration(math.MaxInt64 - 4), true}, []any{n, next, more})
	s := policy.NewSeries(policy.Every(1), policy.Skip, 100, math.MaxInt64-1, 99)
	at, _ := s.Due()
	require.EqualValues(t, math.MaxInt64, at)
}

func TestEveryFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.IntRange(1, 20).Draw(t, "every")
		base := rapid.IntRange(-100, 100).Draw(t, "base")
		now := rapid.IntRange(-100, 100).Draw(t, "now")
		got := int(policy.Every(every).First(time.Duration(base), time.Duration(now), policy.Skip))
		want := base
		for want < now {
			want += every
		}
		require.Equal(t, want, got, "the first that is not past")
		for _, c := range []policy.CatchUp{policy.Once, policy.All} {
			require.EqualValues(t, base, policy.Every(every).First(time.Duration(base), time.Duration(now), c), "to be made up for")
		}
	})
	require.EqualValues(t, math.MaxInt64, policy.Every(math.MaxInt64-1).First(-5, math.MaxInt64-3, policy.Skip))
}

// A calendar that was not looked at for long is counted in steps, and one that does
// not go on ends.
func TestCalendarInSteps(t *testing.T) {
	minute := policy.Calendar(func(after time.Duration) (time.Duration, bool) { return after + 1, true })
	n, next, more := minute.Pass(0, 2500)
	require.Equal(t, []any{1000, time.Duration(1000), true}, []any{n, next, more})
	n, next, more = minute.Pass(next, 1500)
	require.Equal(t, []any{501, time.Duration(1501), true}, []any{n, next, more})
	stuck := policy.Calendar(func(after time.Duration) (time.Duration, bool) { return after, true })
	n, _, more = stuck.Pass(5, 10)
	require.Equal(t, []any{1, false}, []any{n, more})
}
