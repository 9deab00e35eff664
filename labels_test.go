package cmwq_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/stacks"
)

// labelsOf gives the labels of the goroutine that calls it, by a profile.
//
//go:noinline
func labelsOf(t *testing.T) map[string]string {
	t.Helper()
	var labels map[string]string
	groups, err := stacks.Profile(func(*stacks.Group) bool { return true })
	require.NoError(t, err)
	for _, g := range groups {
		if f := g.Frames(); stacks.Within(f, pkg+"labelsOf") {
			labels = g.Labels
		}
	}
	return labels
}

// labelsOfItem gives the labels of an item's goroutine, and the queue that its Context
// knows. Both know the worker.
func labelsOfItem(t *testing.T, q *cmwq.Queue) (labels map[string]string, queue string) {
	t.Helper()
	require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
		known, _ := pprof.Label(ctx, "kworker")
		queue, _ = pprof.Label(ctx, "workqueue")
		labels = labelsOf(t)
		if ctx.Worker() != known || ctx.Worker() != labels["kworker"] {
			t.Errorf("%s %s %v", ctx.Worker(), known, labels)
		}
		return nil
	}))
	require.NoError(t, q.Flush(bg))
	return labels, queue
}

// A worker's goroutine has its name, whatever was on it before and whoever made it.
func TestWorkersAreLabelled(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		pprof.Do(bg, pprof.Labels("of", "the queuer"), func(context.Context) {
			a, b := queue(t, sys, "a", cmwq.PerCPU()), queue(t, sys, "b", cmwq.BH())
			for range 3 {
				for _, q := range []*cmwq.Queue{a, b} {
					labels, known := labelsOfItem(t, q)
					require.Len(t, labels, 2)
					require.Contains(t, labels, "cmwq")
					require.Empty(t, known)
				}
				require.NoError(t, a.Go(func(*cmwq.Context) error { runtime.Goexit(); return nil }))
				require.NoError(t, a.Flush(bg))
				synctest.Wait()
			}
			for range 20 { // the goroutine has them back
				require.NoError(t, a.Go(func(ctx *cmwq.Context) error {
					pprof.Do(ctx, pprof.Labels("x", "y"), func(ctx context.Context) {
						l := labelsOf(t)
						require.Equal(t, "y", l["x"])
						require.Contains(t, l, "kworker")
					})
					l := labelsOf(t)
					require.NotContains(t, l, "x")
					require.Contains(t, l, "kworker")
					return nil
				}))
			}
			require.NoError(t, a.Flush(bg))
		})
	})
}

// With the queue's name, if that is asked for: one worker, many queues, more than it
// keeps labels of.
func TestWithProfileLabels(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		var queues [70]*cmwq.Queue
		for i := range queues {
			queues[i] = queue(t, sys, fmt.Sprint("q", i), cmwq.PerCPU())
		}
		for range 2 {
			for i, q := range queues {
				labels, known := labelsOfItem(t, q)
				require.Equal(t, fmt.Sprint("q", i), labels["workqueue"])
				require.Equal(t, fmt.Sprint("q", i), known)
			}
		}
	}, cmwq.WithProfileLabels())
}
