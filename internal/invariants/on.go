//go:build invariants || race

package invariants

import "fmt"

// Enabled says whether checks are compiled in.
const Enabled = true

// Check panics if an invariant does not hold.
func Check(ok bool, format string, args ...any) {
	if !ok {
		panic("invariant broken: " + fmt.Sprintf(format, args...))
	}
}
