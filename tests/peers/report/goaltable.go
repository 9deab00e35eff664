package report

import (
	"fmt"
	"strings"
)

// writeGoals says of each goal what was measured.
func writeGoals(out func(string, ...any), verdicts []Verdict) {
	out("\n## Goals\n")
	out("| workload | figure | measured | goal | |\n|---|---|---|---|---|")
	var rest []string
	met, measured := 0, 0
	for _, v := range verdicts {
		if !v.Measured {
			rest = append(rest, fmt.Sprintf("%s (%s: %s)", v.Workload, v.System, v.Figure))
			continue
		}
		measured++
		if v.Met {
			met++
		}
		out("| %s | %s: %s | %s | %s | %s |", v.Workload, v.System, v.Figure, v.measured(), v.goal(), v.Result())
	}
	out("\n%d of %d goals met that were measured.", met, measured)
	if len(rest) > 0 {
		out("Not measured: %s.", strings.Join(rest, ", "))
	}
}

func (v Verdict) measured() string {
	if v.Than == Absolute {
		return value(v.Of, v.Unit) + spread(v.N, v.Spread)
	}
	return fmt.Sprintf("%s / %s of %s = **%.2f**%s", number(v.Of), value(v.Base, v.Unit), v.BaseName, v.Value, spread(v.N, v.Spread))
}

// spread is nothing where one repetition knows none.
func spread(n int, s float64) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" ±%.0f %%", 100*s)
}

func (v Verdict) goal() string {
	word := "≤"
	if v.AtLeast {
		word = "≥"
	}
	s := fmt.Sprintf("%s %s", word, number(v.Limit))
	switch v.Than {
	case Absolute:
		s = fmt.Sprintf("%s %s", word, value(v.Limit, v.Unit))
	case Best:
		s += " of the best peer"
	case Peer, OtherLoad, OtherScope:
		s += " of " + v.Other
	}
	if v.Quiet {
		s += ", quiet machine"
	}
	return s
}
