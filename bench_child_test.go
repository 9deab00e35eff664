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
	small := actor.PropsFromFunc(func(actor.Context) {})
	kinds := []struct {
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
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			as := actor.NewActorSystem(
				actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }),
				actor.WithDeadLetterThrottleInterval(time.Millisecond))
			defer as.Shutdown()
			sys, err := cmwq.Start(as, silent())
			require.NoError(b, err)
			p := &elder{as: as, told: make(chan any, b.N+10)}
			p.pid = as.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return p }))
			keep := queue(b, sys, "first") // the pools are there
			require.NoError(b, keep.Flush(bg))
			before := heap()
			b.ResetTimer()
			p.do(func(ctx actor.Context) {
				for i := range b.N {
					require.NoError(b, k.spawn(sys, ctx, strconv.Itoa(i)))
				}
			})
			b.StopTimer()
			b.ReportMetric(float64(heap()-before)/float64(b.N), "B/child")
			begin := time.Now()
			p.stop()
			for ended := false; !ended; {
				_, ended = (<-p.told).(*actor.Stopped)
			}
			b.ReportMetric(float64(time.Since(begin).Nanoseconds())/float64(b.N), "ns/end")
			require.NoError(b, sys.Stop(bg))
			runtime.KeepAlive(keep)
		})
	}
}

// heap is what is in use after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
