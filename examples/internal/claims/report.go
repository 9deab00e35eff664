// Package claims is what the examples share that measure a published result again: a
// table, claims with a verdict, the same as JSON, and the exit status.
package claims

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Claim is something that must hold, and the numbers that say whether it does.
type Claim struct {
	Says  string `json:"says"`
	Found string `json:"found"`
	Holds bool   `json:"holds"`
}

// Table is a table for people: the first row is its head.
type Table struct {
	Title string
	Rows  [][]string
}

// Report is what one run found.
type Report struct {
	Machine Machine  `json:"machine"`
	Rows    any      `json:"rows"` // the numbers, for programs
	Claims  []Claim  `json:"claims"`
	Notes   []string `json:"notes,omitempty"`
	Holds   bool     `json:"holds"`

	Tables []Table `json:"-"`
}

// Check adds a claim.
func (r *Report) Check(holds bool, says, format string, args ...any) {
	r.Claims = append(r.Claims, Claim{Says: says, Found: fmt.Sprintf(format, args...), Holds: holds})
}

// Note adds a line of what a reader must know about the numbers.
func (r *Report) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Judge says whether all claims hold.
func (r *Report) Judge() bool {
	r.Holds = true
	for _, c := range r.Claims {
		r.Holds = r.Holds && c.Holds
	}
	return r.Holds
}

// Write writes the report, for people or as JSON.
func (r *Report) Write(w io.Writer, asJSON bool) error {
	r.Judge()
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Machine)
	for _, t := range r.Tables {
		if err := t.write(&b); err != nil {
			return err
		}
	}
	b.WriteByte('\n')
	for _, c := range r.Claims {
		verdict := "ok  "
		if !c.Holds {
			verdict = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", verdict, c.Says, c.Found)
	}
	for i, n := range r.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write aligns the columns; the first is text, the others are numbers or short words.
func (t *Table) write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n%s\n\n", t.Title); err != nil {
		return err
	}
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range t.Rows {
		_, _ = fmt.Fprintln(tw, "  "+strings.Join(row, "\t")) // a Builder has no errors
	}
	_ = tw.Flush()
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
