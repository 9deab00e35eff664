package metrics_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
)

// Hundreds of child queues are not hundreds of series, unless somebody wants them.
func TestChildren(t *testing.T) {
	as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}))
	defer as.Shutdown()
	sys, err := cmwq.Start(as, silent())
	require.NoError(t, err)
	defer func() { _ = sys.Stop(bg) }()
	queue(t, sys, "img/resize")
	const n = 300
	for i := range n {
		q, err := sys.SpawnQueue(as.Root, fmt.Sprintf("user-%d/inbox", i))
		require.NoError(t, err)
		require.NoError(t, q.Go(nop))
		require.NoError(t, q.Flush(bg))
	}
	c := metrics.New(sys)
	compare(t, c, fmt.Sprintf(`
		cmwq_queues{name="(children)"} %d
		cmwq_queues{name="img/resize"} 1
		cmwq_queue_started_total{name="(children)"} %d
		cmwq_queue_started_total{name="img/resize"} 0
	`, n, n))
	require.NoError(t, sys.Queue("user-7/inbox").Destroy(bg))
	compare(t, c, fmt.Sprintf(`
		cmwq_queues{name="(children)"} %d
		cmwq_queues{name="img/resize"} 1
		cmwq_queue_started_total{name="(children)"} %d
		cmwq_queue_started_total{name="img/resize"} 0
	`, n-1, n))
	compare(t, metrics.New(sys, metrics.GroupBy(metrics.SumBySibling)), fmt.Sprintf(`
		cmwq_queues{name="*/inbox"} %d
		cmwq_queues{name="img/resize"} 1
	`, n-1))
	text := scrape(t, metrics.New(sys, metrics.GroupBy(metrics.Each)))
	require.Equal(t, n, strings.Count(text, "workqueue_depth{"))
	text = scrape(t, metrics.New(sys, metrics.GroupBy(func(q *cmwq.QueueSnapshot) string {
		if q.Name == "user-8/inbox" {
			return "eight"
		}
		return ""
	})))
	require.Equal(t, 1, strings.Count(text, "workqueue_depth{"))
	require.Contains(t, text, `workqueue_depth{name="eight"} 0`)
}
