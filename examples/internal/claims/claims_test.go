package claims

import (
	"encoding/json"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func report(second bool) *Report {
	r := &Report{Machine: Machine{"a CPU", 2, 1, "go1"}, Rows: []int{1, 2},
		Tables: []Table{{"Trains", [][]string{{"to", "min"}, {"Bern", "57"}, {"Visp", "124"}}}}}
	r.Check(true, "Bern is near", "%d min", 57)
	r.Check(second, "Visp is near", "%d min", 124)
	r.Note("Trains of %d.", 2026)
	return r
}

func TestReport(t *testing.T) {
	var out strings.Builder
	require.ErrorIs(t, Finish(report(false), &out, false), ErrNotHeld)
	require.Equal(t, `a CPU, 2 CPUs, GOMAXPROCS 1, go1

Trains

  to    min
  Bern  57
  Visp  124

ok    Bern is near: 57 min
FAIL  Visp is near: 124 min

Trains of 2026.
`, out.String())
	require.NoError(t, Finish(report(true), io.Discard, false))
}

func TestJSON(t *testing.T) {
	var out strings.Builder
	require.ErrorIs(t, Finish(report(false), &out, true), ErrNotHeld)
	var got Report
	require.NoError(t, json.Unmarshal([]byte(out.String()), &got))
	require.False(t, got.Holds)
	require.Len(t, got.Claims, 2)
	require.Equal(t, Claim{"Visp is near", "124 min", false}, got.Claims[1])
	require.Equal(t, []any{1., 2.}, got.Rows)
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-no"}, {"word"}} {
		flags, _ := Flags("x", io.Discard)
		err := Parse(flags, args)
		require.Equal(t, 2, status(err))
	}
	flags, asJSON := Flags("x", io.Discard)
	require.NoError(t, Parse(flags, []string{"-json"}))
	require.True(t, *asJSON)
	require.ErrorIs(t, Parse(flags, []string{"-h"}), flag.ErrHelp)
	require.Equal(t, 1, status(ErrNotHeld))
	require.NotEmpty(t, ThisMachine().CPU)
}
