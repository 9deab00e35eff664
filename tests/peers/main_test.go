package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/report"
)

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-only x", `-only x: no workload "x"; there are a, a4, r, b`},
		{"-only a,zz", `no workload "zz"`},
		{"-only ,", `no workload ""`},
		{"-systems (", "-systems: error parsing regexp"},
		{"-systems nobody", "-systems nobody: matches none of cmwq item"},
		{"-budget 0s", "-budget 0s: want a time above 0"},
		{"-budget soon", "invalid value"},
		{"-cpuprofile /no/such/directory/file", "no such file"},
		{"-nonsense", "not defined"},
		{"table", `unexpected argument "table"`},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUsage, command(strings.Fields(c.args), nil, &stdout, &stderr), c.args)
		require.Contains(t, stderr.String(), c.want, c.args)
		require.Empty(t, stdout.String(), c.args)
	}
}

func TestOnly(t *testing.T) {
	for only, want := range map[string]string{
		"a":        "a",
		"a4, a":    "a a4",
		"d":        "d0 d1 d2",
		"d1,d":     "d0 d1 d2",
		"c′":       "c'",
		"scopes":   "scopes",
		"b1,f.bus": "",
	} {
		some, err := workloads(only)
		require.Equal(t, want == "", err != nil, only)
		var ids []string
		for _, w := range some {
			ids = append(ids, w.ID)
		}
		require.Equal(t, want, strings.Join(ids, " "), only)
	}
	all, err := workloads("")
	require.NoError(t, err)
	require.Len(t, all, len(load.All()))
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, command([]string{"-help"}, nil, &stdout, &stderr))
	require.Contains(t, stderr.String(), "-systems expression")
}

func TestRunOneWorkload(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, command([]string{"-quick", "-only", "r", "-systems", "cmwq|^pond"}, report.Goals, &stdout, &stderr))
	require.Contains(t, stdout.String(), "## r: nop tasks with a typed result")
	require.Contains(t, stdout.String(), "| r | cmwq Submit: wall |")
	require.Contains(t, stderr.String(), "r: round 1", "progress is not in the output")

	stdout.Reset()
	require.Equal(t, exitOK, command([]string{"-quick", "-json", "-only", "scopes,r", "-systems", "cmwq"}, nil, &stdout, &stderr))
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	require.Len(t, lines, 6, "three systems, two workloads")
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)), line)
	}
}

func TestStrict(t *testing.T) {
	easy := report.Goal{Workload: "scopes", System: "cmwq item", Figure: "cpu", Than: report.Absolute, AtLeast: true, Limit: 1}
	hard := easy
	hard.Limit = 1000
	for _, c := range []struct {
		goals  []report.Goal
		strict bool
		want   int
	}{
		{[]report.Goal{easy}, true, exitOK},
		{[]report.Goal{easy, hard}, true, exitGoal},
		{[]report.Goal{easy, hard}, false, exitOK},
	} {
		args := []string{"-quick", "-only", "scopes"}
		if c.strict {
			args = append(args, "-strict")
		}
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.want, command(args, c.goals, &stdout, &stderr))
		require.Contains(t, stdout.String(), "met |")
	}
}
