package cmwq_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// warnings gives what was logged, an object a line.
func warnings(t *testing.T, b *bytes.Buffer) (logged []map[string]any) {
	t.Helper()
	for d := json.NewDecoder(bytes.NewReader(b.Bytes())); d.More(); {
		var m map[string]any
		require.NoError(t, d.Decode(&m))
		logged = append(logged, m)
	}
	return logged
}

// Conformance 76: an item of a MemReclaim queue that waits for a plain queue, or
// for an item on one, is warned of once; one of a plain queue is not, nor one that
// waits for a MemReclaim queue, nor one that cancels.
func TestFlushDependency(t *testing.T) {
	waits := map[string]func(ctx context.Context, q *cmwq.Queue, w *cmwq.Work) error{
		"flush the queue": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Flush(ctx) },
		"drain the queue": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Drain(ctx) },
		"destroy the queue": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error {
			return q.Destroy(ctx)
		},
		"flush an item": func(ctx context.Context, _ *cmwq.Queue, w *cmwq.Work) error { return w.Flush(ctx) },
		"flush, derived": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			return q.Flush(ctx)
		},
		"cancel":          func(ctx context.Context, _ *cmwq.Queue, w *cmwq.Work) error { _, err := w.CancelWait(ctx); return err },
		"another context": func(_ context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Flush(bg) },
	}
	plain, reclaim := cmwq.MaxActive(0), cmwq.MemReclaim()
	for name, wait := range waits {
		for _, c := range []struct {
			from, on cmwq.QueueOption
			warns    bool
		}{{reclaim, plain, name != "cancel" && name != "another context"}, {plain, plain, false}, {reclaim, reclaim, false}, {plain, reclaim, false}} {
			t.Run(name, func(t *testing.T) {
				var b bytes.Buffer
				bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
					from, on := queue(t, sys, "from", c.from), queue(t, sys, "on", c.on)
					for round := range 3 {
						slow := cmwq.NewWork(func(ctx *cmwq.Context) error { _ = ctx.Sleep(time.Second); return nil })
						if name != "destroy the queue" || round == 0 {
							require.NoError(t, on.Queue(slow))
						}
						require.NoError(t, from.Go(func(ctx *cmwq.Context) error {
							ctx.Block(func() { _ = wait(ctx, on, slow) })
							return nil
						}))
						require.NoError(t, from.Flush(bg))
					}
				}, cmwq.WithLogger(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelWarn}))))
				logged := warnings(t, &b)
				if !c.warns {
					require.Empty(t, logged)
					return
				}
				require.Len(t, logged, 1, "once")
				require.Equal(t, "from", logged[0]["queue"])
				require.Equal(t, "on", logged[0]["waits_for"])
				require.Contains(t, logged[0]["func"], "cmwq_test.TestFlushDependency")
				require.Contains(t, logged[0]["worker"], "kworker/")
			})
		}
	}
}

// A program whose queues come and go under ever new names is not warned for ever.
func TestFlushDependencyWarningsAreBounded(t *testing.T) {
	var log records
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		from := queue(t, sys, "from", cmwq.MemReclaim())
		require.NoError(t, from.Go(func(ctx *cmwq.Context) error {
			for i := range 200 {
				on := queue(t, sys, fmt.Sprint("on", i))
				for range 2 {
					if err := on.Flush(ctx); err != nil {
						t.Error(err)
					}
				}
				if err := on.Destroy(ctx); err != nil {
					t.Error(err)
				}
			}
			return nil
		}))
		require.NoError(t, from.Flush(bg))
	}, cmwq.WithLogger(log.logger()))
	found := log.find("an item of a queue with MemReclaim waits for a queue without")
	require.Len(t, found, 128)
	require.Equal(t, "on0", found[0]["waits_for"])
	require.Equal(t, "on127", found[127]["waits_for"])
}
