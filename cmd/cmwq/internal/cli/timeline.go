package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/simcmd"
	"github.com/cmwq/cmwq/internal/sim"
)

func (a *app) timeline() *cobra.Command {
	var chart, raw, check bool
	cmd := &cobra.Command{
		Use:   "timeline FILE",
		Short: "Print which item runs when, as a timetable",
		Long: `timeline runs the scenarios of a file, or of the standard input if FILE is -, and
prints a timetable of each: what happens, how many items are active, how many wait
for a slot of max_active, and how many workers count as runnable, after it.

A scenario is a line a thing. Times are in milliseconds unless they have a unit; #
begins a comment; what a line does not say is as shown, but that there is no
quantum, and that the pool is managed and as wide as the machine:

	machine cpus=1 quantum=1 hog=10 create=0 busy=0 gauges=on
	pool percpu width=1
	queue q0 max_active=3 cpu_intensive
	item w0 q0 at=0: burn 5, sleep 10, block 1us

A pool is managed, percpu or unbound. A CPU is first come, first served; with a
quantum it changes threads so often. hog=0 turns the rule off that takes a CPU hog
out of the count; create is what it takes to make a worker; busy is how many threads
beside the pool burn without end, and needs a quantum; gauges=off hides from the
pool what is runnable. A queue may be ordered. An item burns CPU, sleeps and says
so, or blocks without a word.

The files of the library's own tests (internal/sim/testdata) are read, too: several
scenarios a file, each after a line run, with what should happen after ----. With
--check it is an error if something else happens.`,
		Example: `  cmwq sim timeline internal/sim/testdata/timelines/4.2_managed.txt
  printf 'pool percpu\nqueue q\nitem a q: burn 5, sleep 10\nitem b q: burn 5\n' | cmwq sim timeline -`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			text, err := a.read(names[0])
			if err != nil {
				return err
			}
			name := names[0]
			if name == "-" {
				name = "<stdin>"
			}
			stories, err := simcmd.Read(name, text)
			if err != nil {
				return err
			}
			return within(cmd.Context(), func() error { return a.tell(name, stories, chart, raw, check) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&chart, "chart", false, "a chart of the items below each timetable")
	f.BoolVar(&raw, "raw", false, "as the golden files have it, in place of timetables")
	f.BoolVar(&check, "check", false, "fail if something else happens than the file says after ----")
	cmd.MarkFlagsMutuallyExclusive("chart", "raw")
	return cmd
}

func (a *app) read(name string) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(a.in)
		return string(b), err
	}
	b, err := os.ReadFile(name)
	return string(b), err
}

func (a *app) tell(name string, stories []simcmd.Story, chart, raw, check bool) error {
	wrong, said := 0, false
	for i, st := range stories {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		if raw {
			fmt.Fprint(a.out, sim.Format(sim.Run(st.Scenario)))
		} else {
			fmt.Fprint(a.out, simcmd.Timeline(st))
		}
		if chart {
			fmt.Fprintf(a.out, "\n%s", simcmd.Chart(st.Scenario))
		}
		said = said || st.Want != ""
		if got := sim.Format(sim.Run(st.Scenario)); check && st.Want != "" && got != st.Want {
			wrong++
			fmt.Fprintf(a.out, "\n%s:%d: this is not what the file says:\n%s", name, st.Line, difference(st.Want, got))
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d scenarios: %w", wrong, len(stories), errClaim)
	}
	if check && !said {
		return fmt.Errorf("%s does not say what should happen: there is no ----", name)
	}
	return nil
}

// difference lists the lines that only one of two texts has.
func difference(want, got string) string {
	w, g := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	var b strings.Builder
	only := func(mark string, lines, others []string) {
		left := map[string]int{}
		for _, o := range others {
			left[o]++
		}
		for _, l := range lines {
			if left[l]--; left[l] < 0 {
				fmt.Fprintf(&b, "%s %s\n", mark, l)
			}
		}
	}
	only("-", w, g)
	only("+", g, w)
	return b.String()
}
