//go:build invariants || race

package invariants

import (
	"fmt"
	"runtime/debug"
)

// Enabled says whether checks are compiled in.
const Enabled = true

// Check panics if an invariant does not hold.
func Check(ok bool, format string, args ...any) {
	if !ok {
		panic("invariant broken: " + fmt.Sprintf(format, args...))
	}
}

// Crash ends the process because of what was recovered. A panic would not do: a
// turn may run inside an item, whose panics are the item's failures, or inside
// another actor, whose panics are its supervisor's affair; and whoever took it
// for that would leave the engine in the middle of a step.
func Crash(recovered any) {
	text := fmt.Sprintf("%v\n\n%s", recovered, debug.Stack())
	go func() { panic(text) }()
	select {}
}
