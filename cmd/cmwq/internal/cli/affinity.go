package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/simcmd"
	"github.com/cmwq/cmwq/internal/sim"
)

func (a *app) affinity() *cobra.Command {
	var seeds, fit int
	var measure time.Duration
	var plot string
	var asJSON, controls bool
	cmd := &cobra.Command{
		Use:   "affinity",
		Short: "What affinity scopes cost and give, beside published measurements",
		Long: `affinity runs the encryption of a disk (dm-crypt) with one unbound queue, on a machine
of 12 cores, 24 threads and four caches, with the affinity scopes system, cache, and
cache strict, and 24, 8 and 4 threads that issue reads and writes. It prints the
bandwidths and the CPU use beside those measured on such a machine, and whether the
claims A1 to A6 hold. If one does not it exits with status 1.

The pools' decisions are those of the library. The machine, its scheduler and the
load are a model with a dozen parameters, in internal/sim/affinity.go; what is fitted,
and what is predicted, is said below the table.`,
		Example: `  cmwq sim affinity
  cmwq sim affinity --controls
  cmwq sim affinity --plot affinity.svg
  cmwq sim affinity --seeds 20 --measure 5s --json
  cmwq sim affinity --fit 150`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case seeds < 1 || seeds > 1000:
				return usageError{fmt.Errorf("--seeds %d: want 1 to 1000", seeds)}
			case fit < 0 || fit > 100_000:
				return usageError{fmt.Errorf("--fit %d: want 1 to 100000", fit)}
			case measure < 10*time.Millisecond || measure > time.Hour:
				return usageError{fmt.Errorf("--measure %v: want 10ms to 1h", measure)}
			}
			m := sim.DefaultAffinity()
			m.Measure = measure
			if fit > 0 {
				return a.fit(cmd, m, fit, asJSON)
			}
			var r *simcmd.Report
			err := within(cmd.Context(), func() error {
				t, err := simcmd.Affinity(cmd.Context(), m, seeds)
				if err != nil {
					return err
				}
				var checks []simcmd.Claim
				if controls {
					checks, err = simcmd.Controls(cmd.Context(), m, seeds)
				}
				r = simcmd.NewReport(m, seeds, t, checks)
				return err
			})
			if err != nil {
				return err
			}
			return a.report(r, plot, asJSON)
		},
	}
	f := cmd.Flags()
	f.IntVar(&seeds, "seeds", 5, "so many runs of each experiment, with seeds from 1")
	f.DurationVar(&measure, "measure", 2*time.Second, "simulated time of each, after it has warmed up")
	f.StringVar(&plot, "plot", "", "draw the ratios into this file, as SVG")
	f.BoolVar(&controls, "controls", false, "also where an effect must be gone: N1 to N9")
	f.IntVar(&fit, "fit", 0, "instead, search the parameters with so many settings, for each two scenarios, and predict the third; 150 take ten minutes")
	f.BoolVar(&asJSON, "json", false, "JSON")
	must(cmd.MarkFlagFilename("plot", "svg"))
	return cmd
}

// fit searches for the parameters again.
func (a *app) fit(cmd *cobra.Command, m sim.AffinityModel, n int, asJSON bool) error {
	var fits []simcmd.Fit
	err := within(cmd.Context(), func() (err error) {
		fits, err = simcmd.Search(cmd.Context(), m, n)
		return err
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		return simcmd.WriteFitsJSON(a.out, fits)
	}
	return simcmd.WriteFits(a.out, fits)
}

func (a *app) report(r *simcmd.Report, plot string, asJSON bool) error {
	if plot != "" {
		if err := into(plot, r.WriteSVG); err != nil {
			return err
		}
	}
	var err error
	if asJSON {
		err = r.WriteJSON(a.out)
	} else {
		_, err = r.WriteTo(a.out)
	}
	if err == nil && !r.Holds {
		err = errClaim
	}
	return err
}

// into writes a file.
func into(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
