package run_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/run"
	"github.com/cmwq/cmwq/tests/peers/system"
)

// fake is a workload whose figures are computed.
func fake(id string, f func(s system.System) ([]float64, error)) load.Workload {
	return load.Workload{
		ID: id, Group: id, Figures: []load.Figure{{Name: "x", Unit: "ns"}},
		Skip: func(s system.System) string {
			if s.Name == "skipped" {
				return "not that one"
			}
			return ""
		},
		Run: func(_ load.Env, s system.System) ([]float64, error) { return f(s) },
	}
}

func options(w load.Workload, names ...string) run.Options {
	o := run.Options{
		Env: load.Env{Timeout: time.Minute}, Workloads: []load.Workload{w},
		Budget: time.Hour, Min: 3, Max: 7, Spread: 0.1, Progress: io.Discard,
		Undisturbed: true,
	}
	for _, n := range names {
		o.Systems = append(o.Systems, system.System{Name: n})
	}
	return o
}

func TestRunTakesTurns(t *testing.T) {
	var order []string
	cells := run.Run(t.Context(), options(fake("w", func(s system.System) ([]float64, error) {
		order = append(order, s.Name)
		return []float64{1}, nil
	}), "a", "b", "skipped", "c"))
	require.Len(t, cells, 4)
	require.Equal(t, "not that one", cells[2].Skipped)
	require.False(t, cells[2].OK())
	require.Len(t, order, 9)
	for i := 0; i+3 <= len(order); i += 3 {
		round := slices.Sorted(slices.Values(order[i : i+3]))
		require.Equal(t, []string{"a", "b", "c"}, round)
	}
	require.NotEqual(t, order[0], order[3], "each round begins with another one")
}

func TestRunRepeatsWhatSpreads(t *testing.T) {
	n := 0.0
	o := options(fake("w", func(s system.System) ([]float64, error) {
		if s.Name == "calm" {
			return []float64{10}, nil
		}
		n++
		return []float64{n}, nil
	}), "calm", "wild")
	cells := run.Run(t.Context(), o)
	require.Equal(t, o.Max, cells[1].Clean())
	require.Equal(t, o.Min, cells[0].Clean())
	s, ok := cells[0].Named("x")
	require.True(t, ok)
	require.InDelta(t, 10, s.Median, 0)
}

func TestRunMeasuresWhatIsExactOnce(t *testing.T) {
	n := 0
	w := fake("w", func(system.System) ([]float64, error) { n++; return []float64{1}, nil })
	w.Exact = true
	run.Run(t.Context(), options(w, "a", "b"))
	require.Equal(t, 2, n)
}

// What the machine does for a while is in one repetition of each workload.
func TestRunPassesOverAllWorkloads(t *testing.T) {
	var order []string
	work := func(id string) load.Workload {
		return fake(id, func(system.System) ([]float64, error) {
			order = append(order, id)
			time.Sleep(time.Second)
			return []float64{1}, nil
		})
	}
	synctest.Test(t, func(t *testing.T) {
		o := options(work("v"), "a", "b")
		o.Workloads = append(o.Workloads, work("w"))
		o.Min, o.Max = 4, 4
		run.Run(t.Context(), o)
	})
	require.Equal(t, "vvvvwwwwvvvvwwww", strings.Join(order, ""), "two rounds of two seconds each a pass")
}

func TestRunEndsWithItsBudget(t *testing.T) {
	n := 0
	o := options(fake("w", func(system.System) ([]float64, error) { n++; return []float64{float64(n)}, nil }), "a", "b")
	o.Budget = time.Nanosecond
	run.Run(t.Context(), o)
	require.Equal(t, 2, n, "each is measured once all the same")
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	cells := run.Run(ctx, options(fake("w", func(system.System) ([]float64, error) {
		if n++; n == 3 {
			cancel()
		}
		return []float64{float64(n)}, nil
	}), "a", "b"))
	require.Equal(t, 3, n, "what is begun is finished")
	require.True(t, cells[0].OK())
	require.True(t, cells[1].OK())
}

func TestRunOfWhatFails(t *testing.T) {
	wrong := errors.New("wrong")
	for name, f := range map[string]func() ([]float64, error){
		"error":   func() ([]float64, error) { return []float64{1}, wrong },
		"panic":   func() ([]float64, error) { panic("wrong") },
		"figures": func() ([]float64, error) { return []float64{1, 2}, nil },
	} {
		n := 0
		cells := run.Run(t.Context(), options(fake("w", func(system.System) ([]float64, error) { n++; return f() }), "a"))
		require.Error(t, cells[0].Err, name)
		require.False(t, cells[0].OK(), name)
		_, ok := cells[0].Named("x")
		require.False(t, ok, "%s: it is not fast, it has failed", name)
		require.Equal(t, 1, n, name)
	}
}

func TestRunOfWhatHangs(t *testing.T) {
	o := options(fake("w", func(system.System) ([]float64, error) { select {} }), "a")
	o.Env.Timeout = time.Millisecond
	cells := run.Run(t.Context(), o)
	require.ErrorIs(t, cells[0].Err, load.ErrLost)
}

func TestRunTellsOfItsProgress(t *testing.T) {
	var b strings.Builder
	o := options(fake("w", func(system.System) ([]float64, error) { return []float64{1}, nil }), "a")
	o.Progress = &b
	run.Run(t.Context(), o)
	require.Contains(t, b.String(), "w: round 1, 1 systems")
}
