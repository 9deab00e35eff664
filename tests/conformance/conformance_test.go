package conformance

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	root  = "../.."
	table = root + "/docs/conformance.md"
	rows  = 112
)

// reports are the field reports that the table must have.
var reports = []int{
	1, 2, 3, 4, 6, 7, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 26, 27, 28, 29, 30, 31, 36, 37,
}

func TestTheTableIsWhole(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(table)
	require.NoError(t, err)
	var got []string
	for _, c := range readClaims(string(text)) {
		got = append(got, c.row)
	}
	require.Equal(t, slices.Concat(span(1, rows), prefixed("R", reports...)), got, "each row once, in order")
}

func TestEveryRowIsShown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(table)
	require.NoError(t, err)
	tests := newSuites(root)
	for _, c := range readClaims(string(text)) {
		if problem := c.problem(tests.find); problem != "" {
			t.Errorf("row %s %s", c.row, problem)
		}
	}
}

// The reader and the rules are fed what they must refuse, and its neighbour.
func TestRules(t *testing.T) {
	t.Parallel()
	const test = "`cmwq.TestQueueRunsOnceForEachAcceptance` "
	for _, tt := range []struct{ cell, want string }{
		{test, ""},
		{test + test + "and a remark", ""},
		{"does not apply: there is no such thing", ""},
		{"`internal/sim.TestTimelines/4.2_managed.txt`", ""},
		{"`cmwq.TestALeaseSurvivesWhatUnwindsIt/after_a_sleep`", ""},
		{"`cmwq.TestDonesThatCollideFreeEverySlot/percpu`", ""},
		{"todo", "says todo"},
		{test + "todo: the rest", "says todo"},
		{"a remark", "names no test and gives no reason"},
		{"does not apply: ", "names no test and gives no reason"},
		{"`TestQueueRunsOnceForEachAcceptance`", `"TestQueueRunsOnceForEachAcceptance" is not package.Test`},
		{test + "`cmwq.TestNobodyWrote`", "package cmwq has no TestNobodyWrote"},
		{"`cmwq.TestALeaseSurvivesWhatUnwindsIt/sunshine`", "cmwq.TestALeaseSurvivesWhatUnwindsIt has no subtest sunshine"},
		{"`internal/sim.TestTimelines/4.9_none.txt`", "internal/sim.TestTimelines has no subtest 4.9_none.txt"},
		{"`nowhere.TestX`", "no tests in nowhere"},
	} {
		claims := readClaims("| 1 | it works | " + tt.cell + " |\n")
		require.Len(t, claims, 1, tt.cell)
		assert.Equal(t, tt.want, claims[0].problem(newSuites(root).find), tt.cell)
	}
	assert.Empty(t, readClaims("| row | what it says | shown by |\n|---|---|---|\n| | **Flush** | |\n"))
}

func span(from, to int) (names []string) {
	for n := from; n <= to; n++ {
		names = append(names, strconv.Itoa(n))
	}
	return names
}

func prefixed(prefix string, numbers ...int) (names []string) {
	for _, n := range numbers {
		names = append(names, prefix+strconv.Itoa(n))
	}
	return names
}
