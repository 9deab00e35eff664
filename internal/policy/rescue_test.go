package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A rescuer helps whoever is short of workers, or was and is likely to be again;
// never beside an idle worker, and never a share with nothing to take.
func TestNeedRescue(t *testing.T) {
	t.Parallel()
	for waiting := range 2 {
		for running := range 3 {
			for idle := range 2 {
				for creating := range 2 {
					p, s := NewPool(Managed, 2, 2), NewShare(4, false)
					p.running, p.idle, p.creating = running, make([]*Worker, idle), creating
					p.waiting, s.waiting = 1, waiting
					short := running < 2 && idle == 0
					require.Equal(t, waiting > 0 && short, p.NeedRescue(s, true))
					require.Equal(t, waiting > 0 && idle == 0 && (short || creating > 0), p.NeedRescue(s, false))
				}
			}
		}
	}
}

func TestRescueSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ waiting, inactive, active, riders int }{
		{0, 0, 0, 0}, {1, 0, 1, 0}, {1, 100, 1, 16}, {16, 5, 16, 1}, {17, 5, 17, 0}, {18, 5, 17, 0}, {3, 2, 3, 2},
	} {
		p, s := NewPool(PerCPU, 1, 1), NewShare(4, true)
		s.waiting, s.inactive = c.waiting, c.inactive
		active, riders := p.RescueSize(s)
		require.Equal(t, []int{c.active, c.riders}, []int{active, riders}, "%+v", c)
	}
}
