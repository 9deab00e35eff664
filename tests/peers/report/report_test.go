package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/report"
	"github.com/cmwq/cmwq/tests/peers/run"
	"github.com/cmwq/cmwq/tests/peers/system"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files")

var machine = report.Machine{Go: "go1.26", OS: "linux/amd64", CPU: "abacus", Procs: 2, Date: "2026-11-30 12:00", Args: "-only a"}

// cells are of two workloads: what each system is to measure, repetition by repetition.
func cells(t *testing.T) []*run.Cell {
	t.Helper()
	walls := map[string][]float64{"cmwq item": {30, 20, 40}, "channel 1024": {90, 90, 90}, "pond/v2 Go": {100, 120, 80}}
	used := map[string]int{}
	a := load.Workload{
		ID: "a", Group: "a", Title: "nop tasks",
		Figures: []load.Figure{{Name: "wall", Unit: "ns/task"}, {Name: "allocs", Unit: "/task"}},
		Skip: func(s system.System) string {
			if strings.HasPrefix(s.Name, "time") {
				return "it has only timers"
			}
			return ""
		},
		Run: func(_ load.Env, s system.System) ([]float64, error) {
			if s.Name == "conc" {
				return nil, errors.New("not every task has run once: 7 of 9")
			}
			v := walls[s.Name][used[s.Name]%3]
			used[s.Name]++
			return []float64{v, 0.5}, nil
		},
	}
	b := load.Workload{
		ID: "b1", Group: "b", Title: "CPU tasks",
		Figures: []load.Figure{{Name: "efficiency", Unit: "%", Up: true}},
		Skip:    a.Skip,
		Run: func(_ load.Env, s system.System) ([]float64, error) {
			return []float64{map[string]float64{"cmwq item": 92, "channel 1024": 80, "pond/v2 Go": 95, "conc": 40}[s.Name]}, nil
		},
	}
	o := run.Options{
		Env: load.Env{Timeout: time.Minute}, Workloads: []load.Workload{a, b}, Budget: time.Hour, Min: 3, Max: 3,
		Progress: io.Discard, Undisturbed: true,
		Systems: []system.System{
			{Name: "cmwq item", Setup: "reusable Work", Ours: true}, {Name: "conc", Setup: "a pool"},
			{Name: "pond/v2 Go", Setup: "another pool"}, {Name: "channel 1024", Setup: "a channel"}, {Name: "time.AfterFunc", Setup: "timers"},
		},
	}
	return run.Run(t.Context(), o)
}

var goals = []report.Goal{
	{Workload: "a", System: "cmwq item", Figure: "wall", Than: report.Best, Limit: 1. / 3},
	{Workload: "a", System: "cmwq item", Figure: "wall", Than: report.Peer, Other: "pond/v2 Go", Limit: 0.25},
	{Workload: "a", System: "cmwq item", Figure: "wall", Than: report.Peer, Other: "conc", Limit: 1},
	{Workload: "a", System: "cmwq item", Figure: "allocs", Than: report.Absolute, Limit: 0.01},
	{Workload: "b1", System: "cmwq item", Figure: "efficiency", Than: report.Best, AtLeast: true, Limit: 1},
	{Workload: "b1", System: "cmwq item", Figure: "efficiency", Than: report.Absolute, AtLeast: true, Limit: 90, Quiet: true},
	{Workload: "c", System: "cmwq item", Figure: "p99", Than: report.Best, Limit: 1},
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report.Markdown(&b, machine, goals, cells(t)))
	const golden = "testdata/report.md"
	if *rewrite {
		require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, machine, cells(t)))
	type row struct {
		Workload, System, Skipped, Failed string
		Ours                              bool
		N                                 int
		Figures                           []struct {
			Name, Unit               string
			N                        int
			Median, Min, Max, Spread float64
			Ratio                    float64 `json:"of_best_peer"`
		}
	}
	var rows []row
	for dec := json.NewDecoder(&b); dec.More(); {
		var r row
		require.NoError(t, dec.Decode(&r))
		rows = append(rows, r)
	}
	require.Len(t, rows, 10, "a workload and a system each")
	first := rows[0]
	require.Equal(t, "a", first.Workload)
	require.Equal(t, "cmwq item", first.System)
	require.True(t, first.Ours)
	require.Len(t, first.Figures, 2)
	wall := first.Figures[0]
	require.Equal(t, []float64{30, 20, 40}, []float64{wall.Median, wall.Min, wall.Max})
	require.InDelta(t, 1./3, wall.Spread, 1e-9)
	require.InDelta(t, 1./3, wall.Ratio, 1e-9)
	require.Equal(t, 3, wall.N)
	require.Contains(t, rows[1].Failed, "7 of 9")
	require.Empty(t, rows[1].Figures)
	require.Equal(t, "it has only timers", rows[4].Skipped)
}

func TestJudge(t *testing.T) {
	verdicts := report.Judge(goals, cells(t))
	for i, want := range []struct {
		measured, met bool
		value, missed float64
		result        string
	}{
		{true, true, 1. / 3, 0, "met"},
		{true, false, 0.3, 0.2, "**missed** by 20 %"},
		{result: "not measured"}, // conc has failed
		{true, false, 0.5, 49, "**missed**: 50.0 times the limit"},
		{true, false, 92. / 95, 3. / 95, "**missed** by 4 %"},
		{true, true, 92, 0, "met"},
		{result: "not measured"},
	} {
		v := verdicts[i]
		require.Equal(t, want.measured, v.Measured, i)
		require.Equal(t, want.met, v.Met, i)
		require.InDelta(t, want.value, v.Value, 1e-9, i)
		require.InDelta(t, want.missed, v.Missed, 1e-9, i)
		require.Equal(t, want.result, v.Result(), i)
	}
}

// Each goal names a workload, a figure and systems that exist, and that measure it.
func TestGoalsExist(t *testing.T) {
	systems := map[string]system.System{}
	for _, s := range system.All() {
		systems[s.Name] = s
	}
	workloads := map[string]load.Workload{}
	for _, w := range load.All() {
		workloads[w.ID] = w
	}
	for _, g := range report.Goals {
		w, ok := workloads[g.Workload]
		require.True(t, ok, g)
		s, ok := systems[g.System]
		require.True(t, ok && s.Ours, g)
		require.Empty(t, w.Skip(s), g)
		requireFigure(t, w, g.Figure)
		require.Positive(t, g.Limit, g)
		switch g.Than {
		case report.Peer:
			peer, ok := systems[g.Other]
			require.True(t, ok && !peer.Ours, g)
			require.Empty(t, w.Skip(peer), g)
		case report.OtherLoad:
			other, ok := workloads[g.Other]
			require.True(t, ok, g)
			require.Empty(t, other.Skip(s), g)
			requireFigure(t, other, g.Figure)
		case report.OtherScope:
			requireFigure(t, w, g.Other)
		case report.Best, report.Absolute:
			require.Empty(t, g.Other, g)
		}
	}
}

func requireFigure(t *testing.T, w load.Workload, name string) {
	t.Helper()
	for _, f := range w.Figures {
		if f.Name == name {
			return
		}
	}
	require.Failf(t, "no such figure", "%s: %s", w.ID, name)
}
