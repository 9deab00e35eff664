// Package invariants checks what must always hold. Checks are compiled in by
// the build tag invariants and by the race detector, and are free otherwise.
//
// The arguments of Check are evaluated in every build unless the compiler can
// see that nobody needs them. A check that has to compute something belongs
// behind Enabled, a constant:
//
//	if invariants.Enabled {
//		err := pool.Verify(shares...)
//		invariants.Check(err == nil, "pool %d: %v", id, err)
//	}
package invariants
