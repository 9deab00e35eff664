package cmwq_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// An item that has the last slot of its node, or the last that fixed workers have
// left, waits for one that needs it: no slot of another node, nor of a fixed worker,
// will ever be lent.
func TestDeadlockWhereMaxActiveIsDivided(t *testing.T) {
	for _, tt := range []struct {
		name, machine string
		opts          []cmwq.QueueOption
		fixed         int
		change        func(q *cmwq.Queue) error
	}{
		{name: "nodes", machine: "numa:2 core:1", opts: []cmwq.QueueOption{cmwq.MaxActive(2), cmwq.MinActive(1)}},
		{name: "nodes later", machine: "numa:2 core:1", opts: []cmwq.QueueOption{cmwq.MaxActive(2)},
			change: func(q *cmwq.Queue) error { return q.SetMinActive(1) }},
		{name: "fixed", machine: "llc:2 core:1", opts: []cmwq.QueueOption{cmwq.MaxActive(3)}, fixed: 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			machine, _ := pods(t, tt.machine)
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", append(tt.opts, cmwq.Unbound())...)
				require.NoError(t, q.Fix(tt.fixed, 1))
				if tt.change != nil {
					require.NoError(t, tt.change(q))
				}
				wait := func(on int) error {
					_, err := cmwq.SubmitOn(q, 0, func(ctx *cmwq.Context) (int, error) {
						c, cancel := context.WithTimeout(ctx, time.Hour)
						defer cancel()
						f := cmwq.SubmitOn(q, on, func(*cmwq.Context) (int, error) { return 0, nil })
						return f.Wait(c)
					}).Wait(bg)
					return err
				}
				require.ErrorIs(t, wait(0), cmwq.ErrDeadlock)
				if tt.fixed == 0 {
					require.NoError(t, wait(1), "the other node has a slot")
				}
			}, machine, noGauges())
		})
	}
}
