package cmwq_test

import (
	"bytes"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Conformance 53, R27: an item that returns, or panics, while one of its
// goroutines is inside ctx.Block is named, and the worker that ran it is as good
// as new: the next item counts, and its sleeps are noticed.
func TestLeftOpenSleepIsReported(t *testing.T) {
	for _, panics := range []bool{false, true} {
		var b bytes.Buffer
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.PerCPU())
			open, inside := make(chan struct{}), make(chan struct{})
			var left sync.WaitGroup
			leaks := cmwq.NewWork(func(ctx *cmwq.Context) error {
				left.Go(func() {
					ctx.Block(func() { close(inside); <-open })
				})
				<-inside
				if panics {
					panic("out")
				}
				return nil
			})
			require.NoError(t, q.Queue(leaks))
			require.NoError(t, q.Flush(bg))
			synctest.Wait()
			logged := warnings(t, &b)
			logged = slices.DeleteFunc(logged, func(m map[string]any) bool { return m["func"] == nil }) // the panic is told by another actor
			require.Len(t, logged, 1)
			if panics {
				require.Contains(t, logged[0]["func"], "unknown")
			} else {
				require.Contains(t, logged[0]["func"], "cmwq_test.TestLeftOpenSleepIsReported")
			}
			require.Equal(t, "ERROR", logged[0]["level"])
			require.EqualValues(t, 1, logged[0]["open"])
			require.Equal(t, "q", logged[0]["queue"])
			b.Reset()
			for _, late := range []bool{false, true} {
				if late {
					close(open) // the goroutine's own end of the sleep comes too late
					left.Wait()
				}
				at := since()
				var second int
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Hour) }))
				require.NoError(t, q.Go(func(*cmwq.Context) error { second = at(); return nil }))
				require.NoError(t, q.Flush(bg))
				require.Zero(t, second, "it starts when the first sleeps")
				require.Empty(t, b.String())
			}
		}, cmwq.WithLogger(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelWarn}))))
	}
}

// Sleeps that end with their item, by whatever way, are no leak.
func TestClosedSleepsAreNotReported(t *testing.T) {
	var b bytes.Buffer
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		for _, f := range []func(*cmwq.Context) error{
			func(ctx *cmwq.Context) error { return ctx.Sleep(time.Millisecond) },
			func(ctx *cmwq.Context) error { ctx.Block(func() { _ = ctx.Sleep(1) }); return nil },
			func(ctx *cmwq.Context) error { ctx.Block(func() { panic(1) }); return nil },
			func(ctx *cmwq.Context) error { ctx.Block(func() { runtime.Goexit() }); return nil },
		} {
			require.NoError(t, q.Go(f))
		}
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithLogger(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelError}))))
	require.Empty(t, b.String())
}
