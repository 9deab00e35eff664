package policy

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Where no worker that is woken gets a CPU, each item leaves one behind whose lease was
// taken back. There is an end to that; and when the CPUs are free all of them are idle.
func TestRegainHasNoEndOfWorkersMade(t *testing.T) {
	sh := newShell(Managed, 1, 1)
	sh.turn()
	q := &testShare{Share: NewShare(MaxActiveDefault, false), name: "q"}
	sh.shares = append(sh.shares, q)
	const items = 5 * AsideMax
	ran := 0
	for i := range items {
		sh.now += time.Millisecond
		sh.arrive(q, fmt.Sprint(i))
		sh.regain()
		for _, w := range sh.workers { // the one that has a CPU does all there is
			if w.q != nil && w.taken < len(w.items) {
				ran += len(w.items)
				sh.done(w, 0, 0)
			}
		}
		require.NoError(t, sh.broken)
	}
	require.Less(t, sh.p.Workers(), AsideMax+5)
	require.Greater(t, sh.p.Workers(), AsideMax/2, "it has come to that")
	for again := true; again; {
		again = false
		for _, w := range sh.workers {
			if w.q != nil {
				ran += len(w.items)
				sh.done(w, 0, 0)
				again = true
			}
		}
		require.NoError(t, sh.broken)
	}
	require.Equal(t, items, ran)
	require.Equal(t, sh.p.Workers(), sh.p.Idle())
}
