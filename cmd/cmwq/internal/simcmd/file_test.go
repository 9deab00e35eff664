package simcmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/simcmd"
	"github.com/cmwq/cmwq/internal/sim"
)

const testdata = "../../../../internal/sim/testdata"

// Every golden file of the library is read, all of its scenarios, and what they say
// is what happens.
func TestReadsGoldenFiles(t *testing.T) {
	files, err := filepath.Glob(testdata + "/*/*.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 10)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		stories, err := simcmd.Read(name, string(text))
		require.NoError(t, err)
		require.Len(t, stories, strings.Count(string(text), "\nrun\n")+strings.Count(string(text)[:4], "run\n"), name)
		for _, st := range stories {
			require.Equal(t, st.Want, sim.Format(sim.Run(st.Scenario)), "%s:%d", name, st.Line)
		}
	}
}

// A timetable tells what is counted: at the end nothing is active, nothing waits and
// nobody runs; and never are more active than max_active allows.
func TestTimetablesAddUp(t *testing.T) {
	files, err := filepath.Glob(testdata + "/*/*.txt")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		stories, err := simcmd.Read(name, string(text))
		require.NoError(t, err)
		for _, st := range stories {
			limit := 0
			for _, q := range st.Scenario.Queues {
				limit += q.MaxActive
			}
			moments := simcmd.Moments(&st.Scenario)
			for _, m := range moments {
				require.GreaterOrEqual(t, min(m.Active, m.Inactive, m.Running), 0, "%s:%d at %v", name, st.Line, m.At)
				require.LessOrEqual(t, m.Active, limit, "%s:%d at %v", name, st.Line, m.At)
			}
			last := moments[len(moments)-1]
			require.Zero(t, last.Active+last.Inactive+last.Running, "%s:%d", name, st.Line)
		}
	}
}

// Whatever is in a file, its error names a line of it.
func FuzzRead(f *testing.F) {
	f.Add("run\nqueue q\nitem a q: burn 1\n----\nt=0\n\n# two\nitem")
	f.Add(":")
	f.Add("run")
	f.Add("machine cpus=0")
	f.Add("run\n\n\n----")
	f.Add("----\n----")
	f.Add("queue q\nitem a q at=1e300: burn NaN, sleep -1")
	f.Fuzz(func(t *testing.T, text string) {
		stories, err := simcmd.Read("f", text)
		if err == nil {
			for _, st := range stories {
				require.NotEmpty(t, st.Scenario.Items)
			}
			return
		}
		var e *simcmd.FileError
		require.ErrorAs(t, err, &e)
		require.GreaterOrEqual(t, e.Line, 1)
		require.LessOrEqual(t, e.Line, strings.Count(text, "\n")+1)
	})
}
