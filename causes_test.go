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

// execution is one that sleeps until its context ends, with what may end it.
type execution struct {
	sys    *cmwq.System
	work   *cmwq.Work
	submit context.Context // the submitter's, which lasts a minute
	leave  context.CancelCauseFunc
}

// Why the context of an item ends, as the package's documentation lists it: Err, and the
// cause.
func TestCausesOfContexts(t *testing.T) {
	away := errors.New("away")
	minute := func(*testing.T, *execution) { time.Sleep(time.Minute) }
	for name, c := range map[string]struct {
		opt   cmwq.QueueOption
		via   cmwq.ViewOption
		end   func(t *testing.T, e *execution)
		err   error
		cause error // nil: a *TimeoutError
	}{
		"CancelWait": {end: func(t *testing.T, e *execution) {
			_, err := e.work.CancelWait(bg)
			require.NoError(t, err)
		}, err: context.Canceled, cause: cmwq.ErrCancelled},
		"Disable": {end: func(t *testing.T, e *execution) {
			_, err := e.work.Disable(bg)
			require.NoError(t, err)
		}, err: context.Canceled, cause: cmwq.ErrCancelled},
		"Stop that was cut short": {end: func(t *testing.T, e *execution) {
			ctx, cancel := context.WithCancel(bg)
			cancel()
			require.Error(t, e.sys.Stop(ctx))
		}, err: context.Canceled, cause: cmwq.ErrStopped},
		"MaxRun":         {opt: cmwq.MaxRun(time.Minute), end: minute, err: context.DeadlineExceeded},
		"RunAtMost":      {via: cmwq.RunAtMost(time.Minute), end: minute, err: context.DeadlineExceeded},
		"FollowDeadline": {via: cmwq.FollowDeadline(), end: minute, err: context.DeadlineExceeded},
		"FollowCancel": {via: cmwq.FollowCancel(), end: func(_ *testing.T, e *execution) { e.leave(away) },
			err: context.Canceled, cause: away},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				if c.opt == nil {
					c.opt = cmwq.MaxActive(0)
				}
				q := queue(t, sys, "q", c.opt)
				e := &execution{sys: sys}
				ctx, stop := context.WithTimeout(bg, time.Minute)
				defer stop()
				e.submit, e.leave = context.WithCancelCause(ctx)
				defer e.leave(nil)
				var cause, derivedErr, derivedCause error
				e.work = cmwq.NewWork(func(ctx *cmwq.Context) error {
					derived, cancel := context.WithCancel(ctx)
					defer cancel()
					cause = ctx.Sleep(10 * time.Hour)
					require.Equal(t, cause, context.Cause(ctx))
					require.Equal(t, c.err, ctx.Err())
					derivedErr, derivedCause = derived.Err(), context.Cause(derived)
					return nil
				})
				in := queuer(q)
				if c.via != nil {
					in = q.With(e.submit, c.via)
				}
				require.NoError(t, in.Queue(e.work))
				synctest.Wait()
				c.end(t, e)
				synctest.Wait()
				if c.cause != nil {
					require.Equal(t, c.cause, cause)
				} else {
					require.ErrorAs(t, cause, new(*cmwq.TimeoutError))
				}
				require.Equal(t, cause, derivedCause)
				require.Equal(t, c.err, derivedErr)
			})
		})
	}
}

// What an item derives ends with the item, by no fault of its own.
func TestCauseOfAnItemThatHasEnded(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxRun(time.Minute))
		var kept *cmwq.Context
		var derived context.Context
		require.NoError(t, q.Go(func(c *cmwq.Context) error {
			kept = c
			derived = context.WithValue(c, spanKey{}, 1)
			return nil
		}))
		require.NoError(t, q.Destroy(bg))
		require.Equal(t, context.Canceled, context.Cause(derived))
		time.Sleep(time.Hour)
		require.Equal(t, context.Canceled, context.Cause(kept), "its deadline comes too late")
	})
}
