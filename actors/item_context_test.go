package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// The context of an item is made when it is asked for; told to end before, the
// item finds it cancelled.
func TestCancelWaitReachesAContextThatIsAskedForLater(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		ask := make(chan struct{})
		j := newJob(func(ctx *messages.Context) error {
			<-ask
			require.ErrorIs(t, ctx.Err(), context.Canceled)
			require.ErrorIs(t, context.Cause(ctx), messages.ErrCancelled)
			require.ErrorIs(t, ctx.Sleep(time.Hour), messages.ErrCancelled)
			return nil
		}).on(t, q)
		<-j.entered
		cancelled := make(chan bool)
		go func() {
			was, err := CancelWait(t.Context(), &j.it)
			cancelled <- was || err != nil
		}()
		synctest.Wait()
		close(ask)
		require.False(t, <-cancelled)
	})
}

func TestCancelWaitReachesAContextThatIsInUse(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		begun := time.Now()
		var cause error
		j := newJob(func(ctx *messages.Context) error {
			child, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			<-child.Done()
			cause = context.Cause(child)
			return nil
		}).on(t, q)
		<-j.entered
		synctest.Wait()
		_, err := CancelWait(t.Context(), &j.it)
		require.NoError(t, err)
		require.ErrorIs(t, cause, messages.ErrCancelled)
		require.Zero(t, time.Since(begun))
	})
}

// A context derived from an item's ends with it, and touches no later item of
// the same worker.
func TestADerivedContextEndsWithItsItem(t *testing.T) {
	for name, end := range map[string]func(){"return": func() {}, "panic": func() { panic("of the test") }} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", quiet1)
				var child context.Context
				var cancel context.CancelFunc
				first := newJob(func(ctx *messages.Context) error {
					child, cancel = context.WithCancel(ctx)
					end()
					return nil
				})
				var err error
				second := newJob(func(ctx *messages.Context) error {
					require.Error(t, child.Err(), "it ended with its item")
					cancel()
					err = ctx.Err()
					return nil
				})
				first.on(t, q)
				second.on(t, q)
				require.NoError(t, q.Flush(t.Context()))
				require.NoError(t, err, "the next item has a context of its own")
			})
		})
	}
}

// STOP is of one execution: the next is not told to end.
func TestAnItemRunsAgainAfterItWasCancelled(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		var errs []error
		j := newJob(func(ctx *messages.Context) error {
			errs = append(errs, ctx.Sleep(time.Second))
			return nil
		})
		for range 3 {
			j.on(t, q)
			<-j.entered
			_, err := CancelWait(t.Context(), &j.it)
			require.NoError(t, err)
			j.on(t, q)
			require.NoError(t, Flush(t.Context(), &j.it))
			<-j.entered
		}
		require.Len(t, errs, 6)
		for i, err := range errs {
			require.Equal(t, i%2 == 0, err != nil, "run %d: %v", i, err)
		}
	})
}

func TestADisableThatGivesUpLeavesTheItemDisabled(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		held, open := newHeld()
		held.on(t, q)
		<-held.entered
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := Disable(ctx, &held.it)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, q.Queue(&held.it, held.f, false), messages.ErrDisabled)
		close(open)
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, 1, held.it.State().Depth())
		left, err := Enable(&held.it)
		require.NoError(t, err)
		require.Zero(t, left)
	})
}
