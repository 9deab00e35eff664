package cmwq_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

func echo(c actor.Context) {
	if s, ok := c.Message().(string); ok {
		c.Respond("re: " + s)
	}
}

func TestRequestOnEveryKindOfQueue(t *testing.T) {
	as, sys := startActors(t)
	pid := spawn(t, as, echo)
	for name, kind := range kinds {
		q := queue(t, sys, name, kind)
		require.NoError(t, do(t, q, func(ctx *cmwq.Context) error {
			for _, s := range []string{"a", "b"} {
				got, err := ctx.Request(pid, s)
				require.NoError(t, err)
				require.Equal(t, "re: "+s, got)
			}
			got, err := cmwq.Request[string](ctx, pid, "c")
			require.NoError(t, err)
			require.Equal(t, "re: c", got)
			tctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			got, err = cmwq.Request[string](tctx, pid, "d")
			require.NoError(t, err)
			require.Equal(t, "re: d", got)
			return nil
		}))
	}
}

func TestRequestOfTheWrongType(t *testing.T) {
	as, sys := startActors(t)
	q := queue(t, sys, "q")
	failure := errors.New("no ham")
	pid := spawn(t, as, func(c actor.Context) {
		switch m := c.Message().(type) {
		case string:
			c.Respond(m)
		case int:
			c.Respond(failure)
		}
	})
	require.NoError(t, do(t, q, func(ctx *cmwq.Context) error {
		_, err := cmwq.Request[int](ctx, pid, "x")
		var e *cmwq.ReplyError
		require.ErrorAs(t, err, &e)
		require.Equal(t, cmwq.ReplyError{Want: "int", Got: "x"}, *e)
		require.EqualError(t, err, "cmwq: asked for int, answered by string")
		_, err = cmwq.Request[string](ctx, pid, 1)
		require.ErrorIs(t, err, failure, "an actor may answer with an error")
		got, err := cmwq.Request[error](ctx, pid, 1)
		require.NoError(t, err, "unless that was asked for")
		require.Equal(t, failure, got)
		return nil
	}))
}

func TestRequestWhereNobodyAnswers(t *testing.T) {
	as, sys := startActors(t)
	q := queue(t, sys, "q")
	pid := as.Root.Spawn(actor.PropsFromFunc(echo))
	require.NoError(t, as.Root.StopFuture(pid).Wait())
	require.NoError(t, do(t, q, func(ctx *cmwq.Context) error {
		for _, to := range []*actor.PID{pid, nil, actor.NewPID(as.Address(), "nobody")} {
			_, err := ctx.Request(to, "x")
			require.ErrorIs(t, err, cmwq.ErrNoActor)
			tctx, cancel := context.WithCancel(ctx)
			_, err = cmwq.Request[string](tctx, to, "x")
			require.ErrorIs(t, err, cmwq.ErrNoActor)
			cancel()
			_, err = cmwq.Request[string](tctx, to, "x")
			require.ErrorIs(t, err, context.Canceled)
		}
		return nil
	}))
	_, err := cmwq.Request[string](bg, pid, "x")
	require.ErrorIs(t, err, cmwq.ErrNoItem)
	var late *cmwq.Context
	require.NoError(t, do(t, q, func(ctx *cmwq.Context) error { late = ctx; _ = late.Err(); return nil }))
	_, err = cmwq.Request[string](late, pid, "x")
	require.Error(t, err, "the item has ended")
}

func TestRequestsFromGoroutinesOfAnItem(t *testing.T) {
	as, sys := startActors(t)
	q := queue(t, sys, "q")
	pid := spawn(t, as, echo)
	require.NoError(t, do(t, q, func(ctx *cmwq.Context) error {
		gctx, cancel := context.WithCancel(ctx)
		defer cancel()
		var wg sync.WaitGroup
		for _, s := range []string{"a", "b", "c", "d"} {
			wg.Go(func() {
				for range 100 {
					got, err := cmwq.Request[string](gctx, pid, s)
					if err != nil || got != "re: "+s {
						t.Error(got, err)
					}
				}
			})
		}
		wg.Wait()
		return nil
	}))
}

func TestBHItemsMaySendAndNotAsk(t *testing.T) {
	as, sys := startActors(t)
	q := queue(t, sys, "q", cmwq.BH())
	got := make(chan any, 1)
	pid := spawn(t, as, func(c actor.Context) {
		if s, ok := c.Message().(string); ok {
			got <- s
		}
	})
	require.NoError(t, do(t, q, func(ctx *cmwq.Context) error {
		_, err := ctx.Request(pid, "x")
		require.ErrorIs(t, err, cmwq.ErrAtomic)
		_, err = cmwq.Request[string](context.WithoutCancel(ctx), pid, "x")
		require.ErrorIs(t, err, cmwq.ErrAtomic)
		ctx.Send(pid, "sent")
		return nil
	}))
	require.Equal(t, "sent", <-got)
}
