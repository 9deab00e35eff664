package cmwq_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

func TestCurrentIsTheItemThatRuns(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			sys := start(t)
			q := queue(t, sys, "q", kind)
			other := cmwq.NewWork(func(*cmwq.Context) error { return nil })
			var w *cmwq.Work
			ran := false
			w = cmwq.NewWork(func(ctx *cmwq.Context) error {
				e, ok := cmwq.Current(ctx)
				require.True(t, ok)
				require.True(t, e.Is(w))
				require.False(t, e.Is(other))
				require.Equal(t, []any{"q", ctx.Worker(), ctx.CPU()}, []any{e.Queue, e.Worker, e.CPU})
				derived, cancel := context.WithTimeout(context.WithValue(ctx, t, 1), time.Hour)
				defer cancel()
				got := make(chan cmwq.CurrentWork)
				go func() { e, _ := cmwq.Current(derived); got <- e }()
				require.Equal(t, e, <-got, "a goroutine of the item, with a context made from the item's")
				ran = true
				return nil
			})
			require.NoError(t, q.Queue(w))
			require.NoError(t, q.Flush(bg))
			require.True(t, ran)
			fut := cmwq.Submit(q, func(ctx *cmwq.Context) (bool, error) {
				e, ok := cmwq.Current(ctx)
				return ok && !e.Is(w), nil
			})
			isOther, err := fut.Wait(bg)
			require.NoError(t, err)
			require.True(t, isOther, "the next item is another")
		})
	}
}

func TestCurrentOutsideOfItems(t *testing.T) {
	_, ok := cmwq.Current(bg)
	require.False(t, ok)
	sys := start(t)
	q := queue(t, sys, "q")
	var kept *cmwq.Context
	require.NoError(t, q.Go(func(ctx *cmwq.Context) error { kept = ctx; return nil }))
	require.NoError(t, q.Flush(bg))
	_, ok = cmwq.Current(kept)
	require.False(t, ok, "it has ended")
}

// Row 52: the names of workers, descriptions that last for an item and are cut, and
// the sign between them.
func TestWorkerNamesAndDescriptions(t *testing.T) {
	machine, _ := pods(t, twoPods)
	sys := start(t, machine)
	long := strings.Repeat("x", 40)
	for _, tt := range []struct {
		opt  cmwq.QueueOption
		high bool
		name string
	}{
		{cmwq.PerCPU(), false, `^kworker/1:\d+`}, {cmwq.PerCPU(), true, `^kworker/1:\d+H`},
		{cmwq.Unbound(), false, `^kworker/u\d+:\d+`}, {cmwq.Unbound(), true, `^kworker/u\d+:\d+H`},
	} {
		opts := []cmwq.QueueOption{tt.opt}
		if tt.high {
			opts = append(opts, cmwq.HighPri())
		}
		q := queue(t, sys, "disk"+long, opts...)
		run := func(f func(*cmwq.Context)) (e cmwq.CurrentWork) {
			_, err := cmwq.SubmitOn(q, 1, func(ctx *cmwq.Context) (int, error) {
				f(ctx)
				e, _ = cmwq.Current(ctx)
				return 0, nil
			}).Wait(bg)
			require.NoError(t, err)
			return e
		}
		e := run(func(*cmwq.Context) {})
		require.Regexp(t, tt.name+"$", e.Worker)
		require.Equal(t, "disk"+long[:27], e.Desc, "at first it is the queue's name, cut")
		require.Regexp(t, tt.name+`\+disk`, e.String())
		e = run(func(ctx *cmwq.Context) { ctx.SetDesc("sync %d", 1); ctx.SetDesc("sync %d", 2) })
		require.Equal(t, "sync 2", e.Desc)
		require.Regexp(t, tt.name+`\+sync 2$`, e.String())
		e = run(func(ctx *cmwq.Context) { ctx.SetDesc("%s", long) })
		require.Equal(t, long[:31], e.Desc)
		e = run(func(*cmwq.Context) {})
		require.Equal(t, "disk"+long[:27], e.Desc, "the next item starts anew")
		require.NoError(t, q.Destroy(bg))
		waitGone(sys, q.Name())
	}
	require.Equal(t, "kworker/0:1-disk", messages.Comm("kworker/0:1", "disk", false), "an idle one says what it did")
	require.Equal(t, "kworker/0:1", messages.Comm("kworker/0:1", "", false))
}

func TestCurrentAllocatesNothing(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	n, err := cmwq.Submit(q, func(ctx *cmwq.Context) (float64, error) {
		return testing.AllocsPerRun(100, func() { _, _ = cmwq.Current(ctx) }), nil
	}).Wait(bg)
	require.NoError(t, err)
	require.Zero(t, n)
}
