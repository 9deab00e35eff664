package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/measure"
)

// run is a command line that must succeed.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	require.Zero(t, cli.Main(t.Context(), args, strings.NewReader(""), &out, &stderr), stderr.String())
	if args[0] != "__completeNoDesc" { // which says there what it does
		require.Empty(t, stderr.String())
	}
	return out.String()
}

// Every measurement gives lines with numbers; what they are is the machine's business.
func TestBench(t *testing.T) {
	out := run(t, "bench", "--rounds", "1", "--time", "1ms")
	line := regexp.MustCompile(`^(item|closure|result|latency|mixed) .* \d+\.\d+ (ns|µs|ms) +\d+\.\d+ (ns|µs|ms) +\d+\.\d\d +(\d+\.\d\d|-)  \S`)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3+9)
	for _, l := range lines[3:] {
		require.Regexp(t, line, l)
	}

	var r measure.Result
	require.NoError(t, json.Unmarshal([]byte(run(t, "bench", "item", "--rounds", "1", "--time", "1ms", "--json")), &r))
	require.Equal(t, "item", r.Name)
	require.Positive(t, r.Cmwq)
	require.Positive(t, r.Other)
	require.GreaterOrEqual(t, r.Allocs, 0.0)
}

// There is a manual page for each command.
func TestGenMan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	require.Empty(t, run(t, "gen", "man", dir))
	for _, name := range []string{"cmwq.1", "cmwq-top.1", "cmwq-sim-timeline.1"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Contains(t, string(text), ".SH EXAMPLE")
	}
}

// A plot is a picture that a browser draws, with its numbers in words beside it.
func TestPlot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "affinity.svg")
	var out, stderr bytes.Buffer
	cli.Main(t.Context(), []string{"sim", "affinity", "--seeds", "2", "--measure", "10ms", "--plot", file, "--json"}, nil, &out, &stderr)
	svg, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 9, strings.Count(string(svg), `<rect class="here"`)-1)
	require.Contains(t, string(svg), "4 issuers, cache strict")
	var report struct {
		Seeds  int              `json:"seeds"`
		Cells  []map[string]any `json:"cells"`
		Claims []map[string]any `json:"claims"`
		Model  map[string]any   `json:"model"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	require.Equal(t, 2, report.Seeds)
	require.Len(t, report.Cells, 9)
	require.Len(t, report.Claims, 6)
	require.Contains(t, report.Model, "measure_ns")
}

// A command that is interrupted ends at once, and says so by its status.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, stderr bytes.Buffer
	require.Equal(t, 130, cli.Main(ctx, []string{"sim", "affinity"}, nil, &out, &stderr))
	require.Empty(t, out.String())
}
