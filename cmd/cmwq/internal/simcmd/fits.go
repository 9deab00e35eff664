package simcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteFits writes fits for people: what each was not fitted to, as it predicts it.
func WriteFits(w io.Writer, fits []Fit) error {
	var b strings.Builder
	for _, f := range fits {
		m := f.Model
		fmt.Fprintf(&b, "%d issuers left out; off by %.2f tolerances in what it was fitted to\n", f.Left, f.Error)
		fmt.Fprintf(&b, "  burst=%v crypt=%v device=%v smt=%.4f cold=%.4f steal=%v migrate=%.5f\n", m.Burst, m.Crypt, m.Device, m.SMT, m.Cold, m.Steal, m.Migrate)
		for _, c := range f.Blind {
			fmt.Fprintf(&b, "  %-13s %.3f ±%.3f of system (published %.3f, off by %+.1f %%), CPU %.1f %% (%.1f)\n", c.Scope,
				c.Ratio.Mean, c.Ratio.Spread, c.PaperRatio, 100*(c.Ratio.Mean/c.PaperRatio-1), 100*c.CPU.Mean, 100*c.PaperCPU)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteFitsJSON writes them for programs.
func WriteFitsJSON(w io.Writer, fits []Fit) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(fits)
}
