package sim_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/sim"
)

// Timelines are scenarios and what happens in them, exactly, under any executor
// of the policy. Commit a change only if the timetable at the top of the file
// says the same.
func TestTimelines(t *testing.T) {
	t.Parallel()
	walk(t, "testdata/timelines")
}

// Stories are what the policy makes of some situations; it may change its mind.
func TestStories(t *testing.T) {
	t.Parallel()
	walk(t, "testdata/stories")
}

func walk(t *testing.T, dir string) {
	t.Helper()
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			require.Equal(t, "run", d.Cmd, d.Pos)
			s, err := sim.Parse(d.Input)
			require.NoError(t, err, d.Pos)
			return sim.Format(sim.Run(s))
		})
	})
}
