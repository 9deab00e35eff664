package actors

import (
	"io"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// census is what there is of everything that is made.
type census struct{ actors, places, pools, queues, goroutines int }

func count(sys *System) (c census) {
	for _, m := range sys.as.ProcessRegistry.LocalPIDs.LocalPIDs {
		c.actors += m.Count()
	}
	for _, p := range *places.table.Load() {
		if p != nil && p != freed {
			c.places++
		}
	}
	sys.disp.mu.Lock()
	c.goroutines = sys.disp.keep
	sys.disp.mu.Unlock()
	c.pools, c.queues = int(sys.pools.Load()), len(slices.Collect(sys.eachQueue()))
	return c
}

// Conformance 98, R15, R19: wherever a queue's making may fail, nothing of it is
// left, what there was goes on, and the next attempt succeeds.
func TestFailedQueueLeavesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		what string
		nth  int // of them is refused
	}{
		"queue": {"queue", 1}, "first pool": {"pool", 1}, "third pool": {"pool", 3}, "rescuer": {"rescuer", 1},
	} {
		t.Run(name, func(t *testing.T) {
			var what atomic.Pointer[string]
			var left atomic.Int32
			bubble(t, 4, func(o *Options) {
				o.CreateFault = func(w, _ string) error {
					if p := what.Load(); p != nil && *p == w && left.Add(-1) == 0 {
						return errFault
					}
					return nil
				}
			}, func(t *testing.T, sys *System) {
				old := newTestQueue(t, sys, "old", QueueOptions{})
				held, open := newHeld()
				held.on(t, old)
				<-held.entered
				synctest.Wait()
				before := count(sys)
				for range 3 {
					left.Store(int32(c.nth))
					what.Store(&c.what)
					q, err := sys.NewQueue("q", QueueOptions{Kind: PerCPU, MemReclaim: true})
					require.Nil(t, q)
					require.ErrorIs(t, err, messages.ErrCreate)
					require.ErrorIs(t, err, errFault)
					require.Contains(t, err.Error(), c.what)
					synctest.Wait()
					require.Equal(t, before, count(sys))
					require.Nil(t, sys.Queue("q"))
				}
				what.Store(nil)
				require.NoError(t, sys.ctx.Err(), "the system goes on")
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
				j := newJob(nil).on(t, q)
				require.NoError(t, q.Flush(t.Context()))
				require.EqualValues(t, 1, j.ran.Load())
				require.NoError(t, q.Destroy(t.Context()))
				close(open)
				require.NoError(t, old.Flush(t.Context()))
			})
		})
	}
}

// The first queue of a system may fail, too: the system is not over when its only
// pool goes.
func TestFailedFirstQueue(t *testing.T) {
	var refuse atomic.Bool
	refuse.Store(true)
	bubble(t, 1, func(o *Options) {
		o.CreateFault = func(what, _ string) error {
			if what == "rescuer" && refuse.Load() {
				return errFault
			}
			return nil
		}
	}, func(t *testing.T, sys *System) {
		_, err := sys.NewQueue("q", QueueOptions{MemReclaim: true})
		require.ErrorIs(t, err, errFault)
		synctest.Wait()
		require.NoError(t, sys.ctx.Err())
		refuse.Store(false)
		q := newTestQueue(t, sys, "q", QueueOptions{MemReclaim: true})
		newJob(nil).on(t, q)
		require.NoError(t, q.Flush(t.Context()))
	})
}

// A process has room for so many pools. When there is none, a queue is refused,
// and the pools that it got before are given back.
func TestNoPlaceForAPool(t *testing.T) {
	bubble(t, 4, nil, func(t *testing.T, sys *System) {
		newTestQueue(t, sys, "old", QueueOptions{})
		synctest.Wait()
		before := count(sys)
		table := places.table.Load()
		full := make([]place, messages.MaxPlaces)
		copy(full, *table)
		free := 2 // of the four that are needed
		for i := 1; i < len(full); i++ {
			if full[i] == nil || full[i] == freed {
				if free--; free < 0 {
					full[i] = sys.delayer
				}
			}
		}
		places.table.Store(&full)
		_, err := sys.NewQueue("q", QueueOptions{Kind: PerCPU})
		require.ErrorIs(t, err, messages.ErrCreate)
		require.ErrorIs(t, err, errPlaces)
		synctest.Wait()
		places.table.Store(table)
		require.Equal(t, before, count(sys))
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		newJob(nil).on(t, q)
		require.NoError(t, q.Flush(t.Context()))
	})
}

// A worker that is not made costs nobody his work, nor the next one its number.
func TestFailedWorkersLoseNothing(t *testing.T) {
	var n atomic.Int32
	bubble(t, 2, func(o *Options) {
		o.CreateFault = func(what, _ string) error {
			if what == "worker" && n.Add(1)%3 != 0 {
				return errFault
			}
			return nil
		}
	}, func(t *testing.T, sys *System) {
		for name, o := range map[string]QueueOptions{
			"managed": {}, "percpu": {Kind: PerCPU}, "unbound": {Kind: Unbound}, "ordered": {Kind: Ordered}, "reclaim": {MemReclaim: true, MaxActive: 2},
		} {
			q := newTestQueue(t, sys, name, o)
			var ran atomic.Int32
			for range 50 {
				require.NoError(t, q.Go(func(ctx *messages.Context) error { ran.Add(1); return ctx.Sleep(time.Millisecond) }, false))
			}
			require.NoError(t, q.Flush(t.Context()))
			require.EqualValues(t, 50, ran.Load(), name)
			for _, s := range q.table.Load().shares {
				for i, w := range s.pool.workers {
					require.NotNil(t, w, "number %d was skipped", i)
				}
			}
		}
	})
}

// A system that cannot start leaves no goroutine, place or timer.
func TestFailedStart(t *testing.T) {
	topo, err := topology.Uniform(1, 1, 1, 1)
	require.NoError(t, err)
	quiet := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }))
	defer as.Shutdown()
	_, err = Start(as, Options{Topology: topo, Source: brokenSource{PortableSource()}})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)

	table := places.table.Load()
	full := make([]place, messages.MaxPlaces)
	for i := range full {
		full[i] = &delayer{}
	}
	places.table.Store(&full)
	_, err = Start(as, Options{Topology: topo}) // TestMain looks for the goroutine of the tick
	places.table.Store(table)
	require.ErrorIs(t, err, errPlaces)
	require.NotErrorIs(t, err, messages.ErrStopped)
}

type brokenSource struct{ Source }

func (brokenSource) NewTimer(func(), func(func())) (Timer, error) { return nil, io.ErrUnexpectedEOF }
