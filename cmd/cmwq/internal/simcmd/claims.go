package simcmd

import (
	"fmt"
	"math"
	"strings"
)

// Claim is one requirement of the published measurements, and whether it holds.
type Claim struct {
	ID    string   `json:"id"`
	Says  string   `json:"says"`
	Holds bool     `json:"holds"`
	Found []string `json:"found"` // the numbers; what fails is marked
}

// check is one number of a claim.
func (c *Claim) check(ok bool, format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	if !ok {
		text += " FAILS"
		c.Holds = false
	}
	c.Found = append(c.Found, text)
}

func (c *Claim) within(what string, x, low, high float64) {
	c.check(x >= low && x <= high, "%s %.4f in %.3f-%.3f", what, x, low, high)
}

// Claims are A1 to A6. Their bands are wide, and were chosen with the measurements in
// view: they tell the effects of scopes from their absence, not a good model from a
// better one.
func (t *Table) Claims() []Claim {
	ratio := func(row, col int) float64 { return t[row][col].Ratio.Mean }
	cpu := func(row, col int) float64 { return t[row][col].CPU.Mean }
	back := func(row, col int) float64 { return t[row][col].Repatriated.Mean }

	a1 := Claim{ID: "A1", Says: "24 issuers: cache is no worse than system, strict is as good", Holds: true}
	a1.within("cache/system", ratio(0, cache), 1.000, 1.012)
	off := math.Abs(ratio(0, strict)/ratio(0, cache) - 1)
	a1.check(off <= 0.003, "strict off cache by %.2f %%, at most 0.3 %%", 100*off)

	a2 := Claim{ID: "A2", Says: "8 issuers: cache is as good as system, strict is not", Holds: true}
	a2.within("cache/system", ratio(1, cache), 0.985, 1.010)
	a2.within("strict/system", ratio(1, strict), 0.930, 0.985)

	a3 := Claim{ID: "A3", Says: "4 issuers: system, then cache, then strict", Holds: true}
	a3.within("cache/system", ratio(2, cache), 0.92, 0.99)
	a3.within("strict/system", ratio(2, strict), 0.75, 0.90)
	a3.check(ratio(2, strict) <= ratio(2, cache)-0.05, "strict below cache by %.1f points, at least 5", 100*(ratio(2, cache)-ratio(2, strict)))

	a4 := Claim{ID: "A4", Says: "the fewer issuers, the more strict loses", Holds: true}
	loss := func(row int) float64 { return 100 * (1 - ratio(row, strict)) }
	a4.check(loss(0) < loss(1) && loss(1) < loss(2), "loss %.2f %% < %.2f %% < %.2f %%", loss(0), loss(1), loss(2))

	a5 := Claim{ID: "A5", Says: "CPU: full with 24 issuers, strict below system with fewer", Holds: true}
	least := min(cpu(0, system), cpu(0, cache), cpu(0, strict))
	a5.check(least >= 0.98, "24 issuers: at least %.1f %% of 98", 100*least)
	a5.check(cpu(1, strict) < cpu(1, system), "8: %.1f < %.1f", 100*cpu(1, strict), 100*cpu(1, system))
	a5.check(cpu(2, strict) < cpu(2, system), "4: %.1f < %.1f", 100*cpu(2, strict), 100*cpu(2, system))
	a5.within("system with 4", cpu(2, system), 0.70, 0.80)

	a6 := Claim{ID: "A6", Says: "workers are brought back to their pod with cache alone", Holds: true}
	none := back(0, system) + back(1, system) + back(2, system) + back(0, strict) + back(1, strict) + back(2, strict)
	a6.check(none == 0, "system and strict: %.0f", none)
	some := back(1, cache) + back(2, cache)
	a6.check(some > 0, "cache: %.0f a second", some)
	return []Claim{a1, a2, a3, a4, a5, a6}
}

// Hold says whether all claims do.
func Hold(cs []Claim) bool {
	for _, c := range cs {
		if !c.Holds {
			return false
		}
	}
	return true
}

func (c *Claim) String() string {
	verdict := "ok  "
	if !c.Holds {
		verdict = "FAIL"
	}
	return fmt.Sprintf("%s  %s  %s\n          %s\n", c.ID, verdict, c.Says, strings.Join(c.Found, "; "))
}
