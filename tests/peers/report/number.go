package report

import (
	"fmt"
	"math"
	"strings"
)

// number has three digits that count, and never an exponent.
func number(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 0.01:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.4f", v)
	}
}

// value is a number with what of its unit comes before the first comma.
func value(v float64, unit string) string {
	unit, _, _ = strings.Cut(unit, ",")
	return strings.TrimSpace(number(v) + " " + unit)
}
