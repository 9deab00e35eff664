package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/sim"
)

// Whatever arrives, each item executes once, no invariant breaks at the end of
// any turn, and no queue executes more than its max_active.
func TestRandomScenarios(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios.Draw(t, "scenario")
		trace := sim.Run(s)
		require.NoError(t, trace.Err)
		requireEachOnce(t, s, trace)
		requireMaxActive(t, s, trace)
		require.Equal(t, s.Burned(), trace.Burned)
		require.GreaterOrEqual(t, trace.Makespan, s.Burned()/time.Duration(s.CPUs))
	})
}

// A pool whose items never block and that sees no hogs is a plain pool of its
// width: items start in the order in which they arrive, whatever their queues.
func TestRandomScenariosStartInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios.Draw(t, "scenario")
		s.Kind, s.Quantum, s.Busy = policy.PerCPU, 0, 0
		for i := range s.Queues {
			s.Queues[i].MaxActive = len(s.Items)
		}
		var last time.Duration
		for i := range s.Items {
			last += s.Items[i].At
			s.Items[i].At = last
		}
		rank := 0
		for _, e := range sim.Run(s).Events {
			if e.Kind == sim.Start {
				require.Equal(t, rank, e.Rank, "%s starts out of turn", e.Item)
				rank++
			}
		}
	})
}

// The items of an ordered queue execute one after the other, in the order in
// which they arrive, beside whatever else the pool does.
func TestRandomScenariosKeepOrderedQueues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios.Draw(t, "scenario")
		s.Queues[0].MaxActive = 1
		for i := range s.Items {
			s.Items[i].At = time.Duration(i/4) * time.Millisecond
		}
		running, last := -1, -1
		for _, e := range sim.Run(s).Events {
			if s.Items[e.Rank].Queue != 0 {
				continue
			}
			switch e.Kind {
			case sim.Start:
				require.Equal(t, -1, running, "%s starts beside another item", e.Item)
				require.Greater(t, e.Rank, last, "%s starts out of turn", e.Item)
				running, last = e.Rank, e.Rank
			case sim.End:
				running = -1
			default:
			}
		}
	})
}

// The same scenario gives the same trace.
func TestRunIsDeterministic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios.Draw(t, "scenario")
		first := sim.Run(s).Events
		require.Equal(t, first, sim.Run(s).Events)
	})
}

func requireEachOnce(t *rapid.T, s sim.Scenario, trace sim.Trace) {
	seen := make(map[sim.EventKind]map[int]int)
	for _, e := range trace.Events {
		if seen[e.Kind] == nil {
			seen[e.Kind] = make(map[int]int)
		}
		seen[e.Kind][e.Rank]++
	}
	for i := range s.Items {
		for _, kind := range []sim.EventKind{sim.Start, sim.End} {
			require.Equal(t, 1, seen[kind][i], "%s of %s", kind, s.Items[i].Name)
		}
	}
}

func requireMaxActive(t *rapid.T, s sim.Scenario, trace sim.Trace) {
	executing := make([]int, len(s.Queues))
	for _, e := range trace.Events {
		q := s.Items[e.Rank].Queue
		switch e.Kind {
		case sim.Start:
			executing[q]++
			require.LessOrEqual(t, executing[q], s.Queues[q].MaxActive, "%s at %v", s.Queues[q].Name, e.At)
		case sim.End:
			executing[q]--
		default:
		}
	}
}

var scenarios = rapid.Custom(func(t *rapid.T) sim.Scenario {
	s := sim.Scenario{
		Kind:     rapid.SampledFrom([]policy.Kind{policy.Managed, policy.PerCPU, policy.Unbound}).Draw(t, "kind"),
		CPUs:     rapid.IntRange(1, 4).Draw(t, "cpus"),
		Quantum:  rapid.SampledFrom([]time.Duration{0, time.Millisecond}).Draw(t, "quantum"),
		Hog:      rapid.SampledFrom([]time.Duration{policy.HogThreshold, 0, time.Millisecond}).Draw(t, "hog"),
		Create:   rapid.SampledFrom([]time.Duration{0, time.Millisecond}).Draw(t, "create"),
		NoGauges: rapid.Bool().Draw(t, "no gauges"),
	}
	s.Width = rapid.IntRange(1, s.CPUs).Draw(t, "width")
	if s.Quantum > 0 {
		s.Busy = rapid.IntRange(0, 3).Draw(t, "busy")
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "queues") {
		s.Queues = append(s.Queues, sim.Queue{
			Name:         fmt.Sprintf("q%d", i),
			MaxActive:    rapid.IntRange(1, 4).Draw(t, "max_active"),
			CPUIntensive: rapid.IntRange(0, 3).Draw(t, "intensive") == 0,
		})
	}
	// Short items make long leases, long ones make hogs and sleepers.
	span := rapid.SampledFrom([]time.Duration{0, time.Microsecond, 10 * time.Microsecond, time.Millisecond, 15 * time.Millisecond})
	if rapid.Bool().Draw(t, "short") {
		span = rapid.SampledFrom([]time.Duration{time.Microsecond, 3 * time.Microsecond, 5 * time.Microsecond, 3 * time.Millisecond})
	}
	do := rapid.SampledFrom([]sim.Do{sim.Burn, sim.Burn, sim.Burn, sim.Sleep, sim.Block})
	for i := range rapid.IntRange(1, 60).Draw(t, "items") {
		it := sim.Item{Name: fmt.Sprintf("w%d", i), Queue: rapid.IntRange(0, len(s.Queues)-1).Draw(t, "queue"), At: span.Draw(t, "at")}
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			it.Steps = append(it.Steps, sim.Step{Do: do.Draw(t, "do"), For: span.Draw(t, "for")})
		}
		s.Items = append(s.Items, it)
	}
	return s
})
