package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
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

// Row 17: nothing is lost or run twice while pools come and go: reusable items,
// closures, items that queue themselves while they run, on named CPUs and none.
func TestStressItemsWhilePoolsChange(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "unbound": Unbound, "ordered": Ordered} {
		t.Run(name, func(t *testing.T) {
			sys := running(t)
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind, MaxActive: 1 + 15*int(kind&1)})
			var ran, want atomic.Int64
			changes := whileShaped(t, newShaper(t, sys, q), func() {
				var wg sync.WaitGroup
				for p := range 4 {
					wg.Go(func() {
						for i := range 3000 {
							var err error
							want.Add(1)
							switch {
							case i%16 == 0:
								want.Add(2)
								var twice messages.Item
								var inside atomic.Int32
								left := 2
								var f func(*messages.Context) error
								f = func(*messages.Context) error {
									if inside.Add(1) > 1 {
										t.Error("an item runs twice at once")
									}
									defer inside.Add(-1)
									ran.Add(1)
									if left--; left < 0 {
										return nil
									}
									err := q.Queue(&twice, f, true)
									runtime.Gosched()
									return err
								}
								err = q.Queue(&twice, f, false)
							case i%2 == 0:
								err = q.Go(func(*messages.Context) error { ran.Add(1); return nil }, false)
							case p == 0:
								err = q.QueueOn(i%4, &messages.Item{}, func(*messages.Context) error { ran.Add(1); return nil }, false)
							default:
								err = q.Queue(&messages.Item{}, func(*messages.Context) error { ran.Add(1); return nil }, false)
							}
							if err != nil {
								t.Error(err)
							}
						}
					})
				}
				wg.Wait()
			})
			require.NoError(t, q.Drain(context.Background()))
			require.Equal(t, want.Load(), ran.Load(), "after %d changes", changes)
			st, err := q.Stats(context.Background())
			require.NoError(t, err)
			require.Equal(t, want.Load(), st.Completed, "shares that went left their counters")
			require.Zero(t, st.Active+st.Inactive)
		})
	}
}

// Row 99: one at a time, and each producer's items in its order.
func TestStressOrderWhilePoolsChange(t *testing.T) {
	sys := running(t)
	q := newTestQueue(t, sys, "q", QueueOptions{Kind: Ordered})
	const producers, items = 3, 5000
	var inside atomic.Int32
	var next [producers]int // one item at a time: no lock
	changes := whileShaped(t, newShaper(t, sys, q), func() {
		var wg sync.WaitGroup
		for p := range producers {
			wg.Go(func() {
				for i := range items {
					f := func(*messages.Context) error {
						if inside.Add(1) > 1 {
							t.Error("two at once")
						}
						if next[p] != i {
							t.Errorf("item %d of producer %d ran when %d was next", i, p, next[p])
						}
						next[p]++
						if i%64 == 0 {
							runtime.Gosched()
						}
						inside.Add(-1)
						return nil
					}
					var err error
					if i%2 == 0 {
						err = q.QueueOn(i%4, &messages.Item{}, f, false)
					} else {
						err = q.Go(f, false)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
	require.NoError(t, q.Flush(context.Background()))
	require.Equal(t, [producers]int{items, items, items}, next, "after %d changes", changes)
}

// Row 75: a flush finds what was queued before it wherever pools passed it on to,
// also an item that was queued while it ran.
func TestStressFlushWhilePoolsChange(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "unbound": Unbound, "ordered": Ordered} {
		t.Run(name, func(t *testing.T) {
			sys := running(t)
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind, MaxActive: 4})
			whileShaped(t, newShaper(t, sys, q), func() {
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						for range 150 {
							var runs atomic.Int32
							var twice messages.Item
							entered, again := make(chan struct{}, 2), make(chan struct{})
							f := func(ctx *messages.Context) error {
								entered <- struct{}{}
								ctx.Block(func() { <-again })
								runs.Add(1)
								return nil
							}
							if err := q.Queue(&twice, f, false); err != nil {
								t.Error(err)
							}
							<-entered
							if err := q.Queue(&twice, f, false); err != nil {
								t.Error(err)
							}
							flushed := make(chan error, 1)
							go func() { flushed <- q.Flush(context.Background()) }()
							close(again)
							if err := <-flushed; err != nil {
								t.Error(err)
							}
							if n := runs.Load(); n != 2 {
								t.Errorf("a flush returned after %d of 2 runs", n)
							}
						}
					})
				}
				wg.Wait()
			})
		})
	}
}

// An item that is passed on is found by who cancels it or waits for it.
func TestStressCancelWhilePoolsChange(t *testing.T) {
	sys := running(t)
	q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 2})
	whileShaped(t, newShaper(t, sys, q), func() {
		var wg sync.WaitGroup
		for p := range 3 {
			wg.Go(func() {
				var it messages.Item
				var ran atomic.Int64
				f := func(*messages.Context) error { ran.Add(1); return nil }
				accepted, cancelled := int64(0), int64(0)
				for i := range 2000 {
					if err := q.QueueOn(i%4, &it, f, false); err == nil {
						accepted++
					} else if !errors.Is(err, messages.ErrPending) {
						t.Error(err)
					}
					switch (i + p) % 3 {
					case 0:
						if Cancel(&it) {
							cancelled++
						}
					case 1:
						was, err := CancelWait(context.Background(), &it)
						if err != nil {
							t.Error(err)
						}
						if was {
							cancelled++
						}
					case 2:
						if err := Flush(context.Background(), &it); err != nil {
							t.Error(err)
						}
					}
				}
				if err := Flush(context.Background(), &it); err != nil {
					t.Error(err)
				}
				if accepted != ran.Load()+cancelled {
					t.Errorf("%d accepted, %d ran, %d cancelled", accepted, ran.Load(), cancelled)
				}
			})
		}
		wg.Wait()
	})
}

// Row 102: what was queued before a change runs on the old pool, and what comes
// later elsewhere at the same time; the old share goes when it is empty.
func TestOldItemsFinishOnTheOldPool(t *testing.T) {
	bubble(t, 4, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1 << 10})
		s := newShaper(t, sys, q)
		old := q.table.Load().shares[0].pool
		var names sync.Map
		mark := func(key string) func(*messages.Context) error {
			return func(ctx *messages.Context) error { names.Store(key, ctx.Worker()); return nil }
		}
		gates := make([]chan struct{}, 5)
		for i := range gates { // all CPUs of the old pool are busy
			j, open := newHeld()
			gates[i] = open
			j.on(t, q)
			<-j.entered
		}
		block := make(chan struct{})
		for range 8 {
			require.NoError(t, q.Go(func(*messages.Context) error { <-block; return nil }, false))
		}
		var before messages.Item
		require.NoError(t, q.Queue(&before, mark("before"), false))
		s.pools = s.pools[:1]
		require.NoError(t, s.shape(1))
		require.Len(t, q.table.Load().old, 1)
		var after messages.Item
		require.NoError(t, q.Queue(&after, mark("after"), false))
		synctest.Wait()
		name, _ := names.Load("after")
		require.Contains(t, name, s.pools[0].name+":", "it does not wait for the old pool")
		_, ran := names.Load("before")
		require.False(t, ran)
		close(block)
		for _, open := range gates {
			close(open)
		}
		require.NoError(t, q.Flush(t.Context()))
		name, _ = names.Load("before")
		require.Contains(t, name, old.name+":")
		synctest.Wait()
		require.Empty(t, q.table.Load().old, "empty shares go")
	})
}

// Report R6: several items wait for an ordered queue's new pool; all of them run
// when the old one is empty, and none before.
func TestOrderedPoolIsPluggedUntilTheOldOneIsEmpty(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Ordered})
		s := newShaper(t, sys, q)
		gate, open := newHeld()
		gate.on(t, q)
		<-gate.entered
		var got []int
		add := func(i int) {
			require.NoError(t, q.Go(func(*messages.Context) error { got = append(got, i); return nil }, false))
		}
		for i := range 9 {
			if i%3 == 0 {
				require.NoError(t, s.shape(1))
			}
			add(i)
		}
		synctest.Wait()
		require.Empty(t, got)
		close(open)
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, got)
	})
}

// The limit holds over the present and the retired pools together, and all of it
// can be used when they are gone.
func TestMaxActiveWhilePoolsChange(t *testing.T) {
	bubble(t, 4, fourPods, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, MaxActive: 7})
		s := newShaper(t, sys, q)
		var in, most atomic.Int32
		work := func(ctx *messages.Context) error {
			if n := in.Add(1); n > most.Load() {
				most.Store(n)
			}
			err := ctx.Sleep(time.Millisecond)
			in.Add(-1)
			return err
		}
		for range 50 {
			for range 12 {
				require.NoError(t, q.Go(work, false))
			}
			require.NoError(t, s.shape(1+rand.IntN(4)))
			synctest.Wait()
			require.EqualValues(t, 7, in.Load(), "all slots are in use")
			time.Sleep(1500 * time.Microsecond)
		}
		require.NoError(t, q.Flush(t.Context()))
		require.EqualValues(t, 7, most.Load())
	})
}
