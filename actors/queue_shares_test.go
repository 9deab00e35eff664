package actors

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/topology"
)

// fourPods is a machine of four CPUs with a cache each.
func fourPods(o *Options) { o.Topology, _ = topology.Uniform(1, 4, 1, 1) }

// running starts a system of four pods in real time, and stops it with the test.
func running(t *testing.T) *System {
	t.Helper()
	topo, err := topology.Uniform(1, 4, 1, 1)
	require.NoError(t, err)
	discard := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return discard }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond))
	sys, err := Start(as, Options{Topology: topo, Logger: discard})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, sys.Stop(ctx))
		as.Shutdown()
	})
	return sys
}

// shaper gives the queue other pools at random, from those of donor queues.
type shaper struct {
	q     *Queue
	pools []*pool
}

func newShaper(t *testing.T, sys *System, q *Queue) *shaper {
	t.Helper()
	s := &shaper{q: q}
	for nice := range 2 {
		o := QueueOptions{Kind: Unbound, Attrs: policy.Attrs{Nice: nice}}
		for _, sh := range newTestQueue(t, sys, fmt.Sprint("donor", nice, " of ", q.name), o).table.Load().shares {
			s.pools = append(s.pools, sh.pool)
		}
	}
	return s
}

// shape serves the queue by n random pools, one if it is ordered.
func (s *shaper) shape(n int) error {
	if s.q.opts.Kind == Ordered {
		n = 1
	}
	rand.Shuffle(len(s.pools), func(i, j int) { s.pools[i], s.pools[j] = s.pools[j], s.pools[i] })
	route := make([]uint16, len(s.q.table.Load().route))
	for cpu := range route {
		route[cpu] = uint16(cpu % n)
	}
	done := make(chan error, 1)
	pools := append([]*pool(nil), s.pools[:n]...)
	return s.q.ask(context.Background(), &reshape{pools: pools, route: route, done: done}, done)
}

// whileShaped runs f while the queue is given other pools again and again.
func whileShaped(t *testing.T, s *shaper, f func()) (changes int) {
	t.Helper()
	var end atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for changes = 0; !end.Load() || changes < 100; changes++ {
			if err := s.shape(1 + rand.IntN(4)); err != nil {
				t.Error(err)
				return
			}
			runtime.Gosched()
		}
	})
	f()
	end.Store(true)
	wg.Wait()
	return changes
}
