package cmwq_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Whoever calls Destroy has a queue that has ended when it returns; who was not the
// first is told so then.
func TestASecondDestroyWaitsForTheEnd(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				hold, entered, open := latch()
				require.NoError(t, q.Queue(hold))
				<-entered
				first, second := make(chan error, 1), make(chan error, 2)
				go func() { first <- q.Destroy(bg) }()
				synctest.Wait()
				for range 2 {
					go func() { second <- q.Destroy(bg) }()
				}
				synctest.Wait()
				require.Empty(t, first)
				require.Empty(t, second, "an item still runs")
				open <- struct{}{}
				synctest.Wait()
				require.NoError(t, <-first)
				require.ErrorIs(t, <-second, cmwq.ErrDestroyed)
				require.ErrorIs(t, <-second, cmwq.ErrDestroyed)
				require.ErrorIs(t, q.Destroy(bg), cmwq.ErrDestroyed, "at once, now")
			})
		})
	}
}

// A second that gives up says what is left, and that it was not the first. The first
// need not be there any more.
func TestASecondDestroyMayGiveUp(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		for i := range 3 {
			ctx, cancel := context.WithTimeout(bg, time.Second)
			err := q.Destroy(ctx)
			cancel()
			require.Equal(t, i > 0, errors.Is(err, cmwq.ErrDestroyed), "who was first knows it")
			require.ErrorIs(t, err, context.DeadlineExceeded)
			var left *cmwq.StopError
			require.ErrorAs(t, err, &left)
			require.Equal(t, 1, left.Running)
		}
		done := make(chan error, 1)
		go func() { done <- q.Destroy(bg) }()
		synctest.Wait()
		require.Empty(t, done)
		open <- struct{}{}
		require.ErrorIs(t, <-done, cmwq.ErrDestroyed)
		synctest.Wait()
		require.Nil(t, sys.Queue("q"))
	})
}

// An item that a Destroy waits for may not wait for that Destroy's end.
func TestASecondDestroyInsideAnItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q, other := queue(t, sys, "q"), queue(t, sys, "other")
		begin := make(chan struct{})
		self, within := make(chan error, 1), make(chan error, 1)
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			ctx.Block(func() { <-begin })
			self <- q.Destroy(ctx)
			return ctx.Sleep(time.Second)
		}))
		require.NoError(t, other.Go(func(ctx *cmwq.Context) error {
			ctx.Block(func() { <-begin })
			within <- q.Destroy(ctx)
			return nil
		}))
		at := since()
		go func() { synctest.Wait(); close(begin) }()
		require.NoError(t, q.Destroy(bg))
		require.Equal(t, 1000, at())
		requireDeadlock(t, <-self, "q", "q")
		require.ErrorIs(t, <-within, cmwq.ErrDestroyed, "an item of another queue may wait")
	})
}

// Stop takes over from a Destroy that waits, and from those that wait for it.
func TestASecondDestroyWhenTheSystemStops(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		entered, open := make(chan struct{}), make(chan struct{})
		require.NoError(t, q.Go(func(*cmwq.Context) error { close(entered); <-open; return nil }))
		<-entered
		got := make(chan error, 2)
		for range cap(got) {
			go func() { got <- q.Destroy(bg) }()
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		require.Error(t, sys.Stop(ctx))
		close(open)
		for range cap(got) {
			require.Error(t, <-got, "nobody waits for ever")
		}
	})
}
