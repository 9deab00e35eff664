package simcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cmwq/cmwq/internal/sim"
)

// Report is the affinity experiment with all that is said about it.
type Report struct {
	Model  sim.AffinityModel `json:"model"` // durations in nanoseconds
	Seeds  int               `json:"seeds"`
	Cells  []Cell            `json:"cells"`
	Claims []Claim           `json:"claims"`
	Checks []Claim           `json:"controls,omitempty"` // where an effect must be gone
	Holds  bool              `json:"holds"`

	table Table
}

// NewReport judges an experiment; there may be controls of it.
func NewReport(m sim.AffinityModel, seeds int, t Table, controls []Claim) *Report {
	r := &Report{Model: m, Seeds: seeds, Claims: t.Claims(), Checks: controls, table: t}
	r.Holds = Hold(r.Claims) && Hold(r.Checks)
	for _, row := range t {
		r.Cells = append(r.Cells, row[:]...)
	}
	return r
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteTo writes the report for people: what came out beside what was published, the
// claims, and what is fitted.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Encryption of a disk on 12 cores, 24 threads, four caches: one unbound queue, its pools\n")
	fmt.Fprintf(&b, "decided by this library, the machine simulated; seeds 1 to %d, %v each.\n\n", r.Seeds, r.Model.Measure)
	b.WriteString("                          bandwidth / system         CPU %           brought back\n")
	b.WriteString("  issuers  scope          here          published   here   published   a second\n")
	for _, row := range r.table {
		for i, c := range row {
			issuers := ""
			if i == 0 {
				issuers = fmt.Sprint(c.Issuers)
			}
			fmt.Fprintf(&b, "  %7s  %-13s %.3f ±%.3f  %8.3f   %5.1f ±%.1f  %6.1f   %9.0f\n", issuers, c.Scope,
				c.Ratio.Mean, c.Ratio.Spread, c.PaperRatio, 100*c.CPU.Mean, 100*c.CPU.Spread, 100*c.PaperCPU, c.Repatriated.Mean)
		}
	}
	b.WriteByte('\n')
	for i := range r.Claims {
		b.WriteString(r.Claims[i].String())
	}
	if len(r.Checks) > 0 {
		b.WriteString("\nControls, where an effect must be gone:\n")
	}
	for i := range r.Checks {
		b.WriteString(r.Checks[i].String())
	}
	fmt.Fprintf(&b, "\n%s", r.honest())
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
