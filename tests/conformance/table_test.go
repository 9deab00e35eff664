package conformance

import (
	"regexp"
	"strings"
)

// A claim is one row of a table: what shows it, or why nothing needs to.
type claim struct {
	row    string
	tests  []string // package.Test/subtest
	reason string   // it does not apply
	todo   bool
}

var (
	rowLine  = regexp.MustCompile(`^\| (R?\d+) \| (.+) \| (.+) \|$`)
	testName = regexp.MustCompile("`([^`]+)`")
)

const exempt = "does not apply: "

// readClaims finds the rows of all tables in a text.
func readClaims(text string) (claims []claim) {
	for line := range strings.Lines(text) {
		m := rowLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		c := claim{row: m[1], todo: strings.Contains(m[3], "todo")}
		if reason, ok := strings.CutPrefix(m[3], exempt); ok {
			c.reason = strings.TrimSpace(reason)
		} else {
			for _, n := range testName.FindAllStringSubmatch(m[3], -1) {
				c.tests = append(c.tests, n[1])
			}
		}
		claims = append(claims, c)
	}
	return claims
}

// problem says what is wrong with a claim, or "".
func (c claim) problem(find func(test string) error) string {
	switch {
	case c.todo:
		return "says todo"
	case c.reason == "" && len(c.tests) == 0:
		return "names no test and gives no reason"
	}
	for _, name := range c.tests {
		if err := find(name); err != nil {
			return err.Error()
		}
	}
	return ""
}
