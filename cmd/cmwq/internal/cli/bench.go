package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/measure"
)

func (a *app) bench() *cobra.Command {
	o := measure.Options{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "bench [NAME...]",
		GroupID: "try",
		Short:   "Measure what an item costs on this machine",
		Long: `bench measures the library in this process, beside what a program would use in its
place, in turns, and prints the medians of the rounds. Machines differ, and one that is
busy differs from itself: the ratio is what to look at. A ratio below 1 is in favour of
this library.

` + benchHelp(),
		Example: `  cmwq bench
  cmwq bench item latency --time 1s --rounds 9`,
		ValidArgs: measure.Names(),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := measure.Check(names); err != nil {
				return usageError{err}
			}
			if o.Rounds < 1 || o.Rounds > 1000 {
				return usageError{fmt.Errorf("--rounds %d: want 1 to 1000", o.Rounds)}
			}
			if o.Time < time.Millisecond || o.Time > time.Hour {
				return usageError{fmt.Errorf("--time %v: want 1ms to 1h", o.Time)}
			}
			if !asJSON {
				fmt.Fprintf(a.out, "%s; medians of %d rounds of %v\n\n%-8s %-26s %9s %9s  %6s  %7s  beside\n", measure.Machine(), o.Rounds, o.Time,
					"", "", "cmwq", "peer", "ratio", "allocs")
			}
			enc := json.NewEncoder(a.out)
			return measure.Run(cmd.Context(), names, o, func(r measure.Result) {
				if asJSON {
					_ = enc.Encode(r)
					return
				}
				fmt.Fprintln(a.out, benchLine(r))
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Rounds, "rounds", 5, "so many times each")
	f.DurationVar(&o.Time, "time", 200*time.Millisecond, "time of one round")
	f.BoolVar(&asJSON, "json", false, "JSON, an object a line")
	return cmd
}

func benchHelp() string {
	var b strings.Builder
	for _, n := range measure.Names() {
		name, what, _ := strings.Cut(n, "\t")
		fmt.Fprintf(&b, "  %-9s %s\n", name, what)
	}
	return strings.TrimRight(b.String(), "\n")
}

func benchLine(r measure.Result) string {
	allocs := "-"
	if r.Allocs >= 0 {
		allocs = strconv.FormatFloat(r.Allocs, 'f', 2, 64)
	}
	return fmt.Sprintf("%-8s %-26s %9s %9s  %6.2f  %7s  %s", r.Name, r.What, nanos(r.Cmwq), nanos(r.Other), r.Ratio(), allocs, r.Peer)
}

// nanos writes nanoseconds so that lines can be compared.
func nanos(ns float64) string {
	switch {
	case ns < 1e3:
		return strconv.FormatFloat(ns, 'f', 1, 64) + " ns"
	case ns < 1e6:
		return strconv.FormatFloat(ns/1e3, 'f', 2, 64) + " µs"
	}
	return strconv.FormatFloat(ns/1e6, 'f', 2, 64) + " ms"
}
