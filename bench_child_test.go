package cmwq_test

import (
	"log/slog"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// BenchmarkChildren makes children of an actor, and keeps them: small actors, and
// queues that nobody has used yet, or that have run an item. B/child is what is kept of
// one. With -benchtime 100000x it shows that the last costs what the first did.
func BenchmarkChildren(b *testing.B) {
	for _, k := range childKinds {
		b.Run(k.name, func(b *testing.B) {
			b.ReportMetric(float64(children(b, b.N, k.spawn)), "B/child")
		})
	}
}

var (
	small      = actor.PropsFromFunc(func(actor.Context) {})
	childKinds = []struct {
		name  string
		spawn func(sys *cmwq.System, ctx actor.Context, name string) error
	}{
		{"actor", func(_ *cmwq.System, ctx actor.Context, name string) error {
			_, err := ctx.SpawnNamed(small, name)
			return err
		}},
		{"queue", func(sys *cmwq.System, ctx actor.Context, name string) error {
			_, err := sys.SpawnQueue(ctx, name)
			return err
		}},
		{"used", func(sys *cmwq.System, ctx actor.Context, name string) error {
			q, err := sys.SpawnQueue(ctx, name)
			if err != nil {
				return err
			}
			if err := q.Go(func(*cmwq.Context) error { return nil }); err != nil {
				return err
			}
			return q.Flush(bg)
		}},
	}
)

// children makes n of them, and says how many bytes are kept of each.
func children(b testing.TB, n int, spawn func(sys *cmwq.System, ctx actor.Context, name string) error) int64 {
	as := actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond))
	defer as.Shutdown()
	sys, err := cmwq.Start(as, silent())
	require.NoError(b, err)
	p := &elder{as: as, told: make(chan any, n+10)}
	p.pid = as.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return p }))
	keep, err := sys.NewQueue("first") // the pools are there
	require.NoError(b, err)
	require.NoError(b, keep.Flush(bg))
	before := heap()
	bench, _ := b.(*testing.B)
	if bench != nil {
		bench.ResetTimer()
	}
	p.do(func(ctx actor.Context) {
		for i := range n {
			require.NoError(b, spawn(sys, ctx, strconv.Itoa(i)))
		}
	})
	if bench != nil {
		bench.StopTimer()
	}
	each := (heap() - before) / int64(n)
	begin := time.Now()
	p.stop()
	for ended := false; !ended; {
		_, ended = (<-p.told).(*actor.Stopped)
	}
	if bench != nil {
		bench.ReportMetric(float64(time.Since(begin).Nanoseconds())/float64(n), "ns/end")
	}
	require.NoError(b, sys.Stop(bg))
	runtime.KeepAlive(keep)
	return each
}

// A thousand child queues cost what a few thousand small actors do: what few need is
// made when it is needed.
func TestAChildQueueIsSmall(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector's own memory is counted, too")
	}
	bytes := map[string]int64{}
	for _, k := range childKinds {
		bytes[k.name] = children(t, 2000, k.spawn)
	}
	require.Less(t, bytes["queue"], 3*bytes["actor"], "%v", bytes)
	require.Less(t, bytes["used"], 4*bytes["actor"], "%v", bytes)
}

// heap is what is in use after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
