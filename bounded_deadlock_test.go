package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// An item that waits for room which only its own end could make.
func TestBoundedWaitForItselfIsADeadlock(t *testing.T) {
	machine, _ := pods(t, fourPods)
	for name, opts := range map[string][]cmwq.QueueOption{
		"ordered": {cmwq.Ordered()}, "managed": {cmwq.MaxActive(1)}, "unbound": {cmwq.Unbound(), cmwq.MaxActive(1)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", append(opts, cmwq.Bounded(2, cmwq.Refuse))...)
				err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error {
					for range 2 {
						if err := q.GoContext(ctx, nop); err != nil {
							return err
						}
					}
					return q.GoContext(ctx, nop)
				})
				requireDeadlock(t, err, "q", "q")
				require.Contains(t, err.Error(), "would wait for room in")
				require.NoError(t, q.Flush(bg), "what was accepted runs")
				require.Equal(t, 2, fill(q))
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// Two that have all slots both wait for room: the second closes the ring, and the first
// goes on when that has given way. A third that waits elsewhere is no part of it.
func TestBoundedEverySlotWaitsForRoom(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2), cmwq.Bounded(1, cmwq.Refuse))
		errs, open := make(chan error, 2), make(chan struct{})
		for range 2 {
			require.NoError(t, q.GoContext(bg, func(ctx *cmwq.Context) error {
				_, _ = cmwq.Await(ctx, open)
				errs <- q.GoContext(ctx, nop)
				return nil
			}))
			synctest.Wait()
		}
		require.NoError(t, q.Go(nop))
		outside := make(chan error, 1)
		require.NoError(t, sys.Default().Go(func(ctx *cmwq.Context) error { outside <- q.GoContext(ctx, nop); return nil }))
		open <- struct{}{}
		synctest.Wait()
		require.Empty(t, errs, "the other slot may come free")
		open <- struct{}{}
		require.ErrorIs(t, <-errs, cmwq.ErrDeadlock)
		require.NoError(t, <-errs)
		require.NoError(t, <-outside)
		require.NoError(t, q.Flush(bg))
	}, noGauges(), cmwq.WithHogThreshold(0))
}

// What is armed will come due: who waits for its room waits, and gets it.
func TestBoundedWaitForArmedRoomIsNone(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2), cmwq.Bounded(2, cmwq.Refuse))
		other := queue(t, sys, "other", cmwq.Ordered())
		err := inItem(t, other, func(ctx *cmwq.Context, _ *cmwq.Work) error {
			for range 2 {
				if err := q.QueueAfter(time.Minute, cmwq.NewWork(nop)); err != nil {
					return err
				}
			}
			return q.GoContext(ctx, nop)
		})
		require.NoError(t, err)
		synctest.Wait() // what had room before has begun
		err = inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error {
			if err := q.QueueAfter(time.Minute, cmwq.NewWork(nop)); err != nil {
				return err
			}
			if err := q.Go(pauses(time.Second)); err != nil {
				return err
			}
			return q.GoContext(ctx, nop)
		})
		require.NoError(t, err)
	})
}
