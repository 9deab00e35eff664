package cmwq_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/invariants"
)

// A view costs one allocation an item, a limit of the wait none, and a queue without
// either pays for neither.
func TestAllocationsOfTravellers(t *testing.T) {
	if raceEnabled || invariants.Enabled {
		t.Skip("the race detector allocates, and so do the checks")
	}
	sys := start(t)
	plain := queue(t, sys, "plain")
	limited := queue(t, sys, "limited", cmwq.MaxWait(time.Hour))
	view := plain.With(context.WithValue(bg, spanKey{}, 1), cmwq.WaitAtMost(time.Hour))
	for name, c := range map[string]struct {
		queue func(*cmwq.Work) error
		want  float64
	}{"plain": {plain.Queue, 0}, "limited": {limited.Queue, 0}, "view": {view.Queue, 1}} {
		ran := make(chan struct{})
		w := cmwq.NewWork(func(*cmwq.Context) error { ran <- struct{}{}; return nil })
		got := testing.AllocsPerRun(1000, func() {
			for c.queue(w) != nil { // the last run has not ended
			}
			<-ran
		})
		require.LessOrEqual(t, got, c.want+0.5, name)
		require.NoError(t, w.Flush(bg))
	}
}
