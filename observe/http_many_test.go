package observe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/observe"
	"github.com/cmwq/cmwq/supervisor"
)

const kept = 8192

// heavy is an error that is missed if it is kept.
type heavy struct{ _ [kept]byte }

func (*heavy) Error() string { return "it is of no use" }

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what had a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Ten thousand queues that have failed ten times each are no more to look at, and no more
// to keep, than ten thousand that have failed once: what a viewer is sent is bounded, and so
// is what the program and its handler remember.
func TestManyQueuesThatFail(t *testing.T) {
	n, times := 10_000, 10
	switch {
	case invariants.Enabled: // each step of a pool looks at all its shares
		n = short.AtLeast(60, 200)
	case testing.Short():
		n = 1000
	}
	sys := start(t, cmwq.WithOnFailure(func(string, error) {}))
	queues := make([]*cmwq.Queue, n)
	for i := range queues {
		var opts []cmwq.QueueOption
		if i%2 == 0 {
			opts = append(opts, cmwq.Supervise(supervisor.DeadLetter(1)))
		}
		queues[i] = queue(t, sys, fmt.Sprintf("tenant-%05d", i), opts...)
	}
	ctx := context.Background()
	fail := func() {
		for _, q := range queues {
			require.NoError(t, q.Go(func(*cmwq.Context) error { return &heavy{} }))
		}
		for _, q := range queues {
			require.NoError(t, q.Flush(ctx))
		}
	}
	h := observe.Handler(sys)
	v := watch(t, listen(t, h), url.Values{"interval": {"250ms"}})
	failed := func(want int) (frame int) { // waits for the page to tell so
		for {
			event, data := v.next()
			require.Equal(t, "frame", event)
			var f struct {
				Sum    struct{ Failed int }
				Queues []struct{}
				Alerts []struct{}
			}
			require.NoError(t, json.Unmarshal([]byte(data), &f))
			require.LessOrEqual(t, len(f.Alerts), 30)
			require.LessOrEqual(t, len(f.Queues), 100)
			if f.Sum.Failed == want {
				return len(data)
			}
		}
	}
	sizes := func() map[string]int {
		s := map[string]int{}
		for _, path := range []string{"/dump", "/dump?sections", "/monitor", "/snapshot", "/where"} {
			w := serve(h, request("GET", path))
			require.Equal(t, 200, w.Code, path)
			s[path] = w.Body.Len()
		}
		return s
	}

	fail()
	frame, first, before := failed(n), sizes(), heap()
	for i := range times - 1 {
		fail()
		require.Less(t, failed((i+2)*n), frame+20_000, "bytes of an event")
	}
	grown := heap() - before
	t.Logf("%d queues, %d failed items: %d kB more than with %d", n, times*n, grown>>10, n)
	require.Less(t, grown, int64(n)*int64(times-1)*kept/3, "what has failed is kept")
	for path, was := range first {
		require.Less(t, serve(h, request("GET", path)).Body.Len(), was+was/4+4096, path)
	}
	require.Less(t, first["/dump"], 20_000, "idle queues are left out")
	require.Less(t, frame, 60_000)
	letters, err := queues[0].DeadLetters(ctx)
	require.NoError(t, err)
	require.Len(t, letters, 1)
}
