package cmwq_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/short"
)

// What becomes of workers is told: they are made, get work when they are idle, and end
// when they are too many.
func TestWorkersAreTold(t *testing.T) {
	seen := newWitness(cmwq.EventCreate, cmwq.EventKick, cmwq.EventCull)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.HighPri())
		synctest.Wait()
		of := func(e *cmwq.Event) bool { return e.Pool == "0H" }
		require.Equal(t, "create", seen.kinds(of), "the pool's first worker")
		for range 4 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }))
		}
		require.NoError(t, q.Flush(bg))
		names, kicked := map[string]bool{}, 0
		for _, e := range seen.events() {
			if e.Pool != "0H" {
				continue
			}
			require.Zero(t, e.Item)
			switch e.Kind {
			case cmwq.EventCreate:
				require.False(t, names[e.Worker], "made twice")
				names[e.Worker] = true
				require.Empty(t, e.Queue)
			case cmwq.EventKick:
				require.True(t, names[e.Worker], "made before it got work")
				require.Equal(t, "q", e.Queue)
				kicked += e.N
			default:
			}
		}
		require.Equal(t, 4, kicked, "one item sleeps, and another worker gets the next")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		culled := 0
		for _, e := range seen.events() {
			if e.Kind == cmwq.EventCull && e.Pool == "0H" {
				require.True(t, names[e.Worker])
				culled++
			}
		}
		require.Equal(t, len(names)-2, culled, "two stay")
	}, cmwq.WithObserver(seen), noGauges())
}

// A worker that cannot be made is told with the reason; the calls for help and what the
// rescuer gets are told as they are counted.
func TestRescueIsTold(t *testing.T) {
	seen := newWitness()
	starved(t, func(t *testing.T, sys *cmwq.System, _ *famine, sleeper *gate) {
		q := queue(t, sys, "reclaim", cmwq.PerCPU(), cmwq.MemReclaim())
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			require.True(t, ctx.IsRescuer())
			return nil
		})
		require.NoError(t, q.Queue(w))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, "queue activate start end", seen.story(w))
		require.Equal(t, "kworker/R-reclaim", seen.of(w.ID())[2].Worker)
		of := func(e *cmwq.Event) bool { return e.Queue == "reclaim" && e.Item == 0 }
		require.Equal(t, "create mayday rescue", seen.kinds(of))
		st := stats(t, q)
		for _, e := range seen.events() {
			switch e.Kind {
			case cmwq.EventMayday:
				require.EqualValues(t, st.Mayday, e.N)
			case cmwq.EventRescue:
				require.EqualValues(t, st.Rescued, e.N)
				require.Equal(t, "0", e.Pool)
			default:
			}
		}
		failed := seen.kinds(func(e *cmwq.Event) bool { return e.Kind == cmwq.EventCreate && e.Err != nil })
		require.Contains(t, failed, "create")
		sleeper.open <- struct{}{}
	}, cmwq.WithObserver(seen), noGauges())
}

// A declared sleep is told, and so is a wait inside an item.
func TestSleepsAreTold(t *testing.T) {
	seen := newWitness(cmwq.EventSleep, cmwq.EventWake)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, other := queue(t, sys, "q"), queue(t, sys, "other")
		open := make(chan struct{})
		slow := cmwq.NewWork(func(ctx *cmwq.Context) error { time.Sleep(2 * time.Second); return nil })
		waits := cmwq.NewWork(func(ctx *cmwq.Context) error { return slow.Flush(ctx) })
		blocks := cmwq.NewWork(func(ctx *cmwq.Context) error {
			ctx.Block(func() { _ = ctx.Sleep(time.Second) }) // one inside the other is one
			_, err := cmwq.Await(ctx, open)
			return err
		})
		require.NoError(t, other.Queue(slow))
		require.NoError(t, q.Queue(waits))
		require.NoError(t, q.Queue(blocks))
		time.Sleep(3 * time.Second)
		close(open)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, "sleep wake", seen.story(waits))
		require.Equal(t, "sleep wake sleep wake", seen.story(blocks))
		require.Equal(t, time.Second, seen.of(blocks.ID())[1].Run)
		require.Contains(t, seen.of(waits.ID())[1].FuncName(), "TestSleepsAreTold")
		require.Empty(t, seen.story(slow))
	}, cmwq.WithObserver(seen), noGauges())
}

// unused is a source that says that the process does nothing.
type unused struct{ actors.Source }

func (unused) Gauges() policy.Gauges { return policy.Gauges{Procs: 1, Valid: true} }

// A sleep that is not declared is told once the pool assumes it.
func TestAssumedSleepsAreTold(t *testing.T) {
	seen := newWitness(cmwq.EventSleep, cmwq.EventWake)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		slow, next := cmwq.NewWork(func(*cmwq.Context) error { time.Sleep(2 * time.Second); return nil }), cmwq.NewWork(nop)
		require.NoError(t, q.Queue(slow))
		require.NoError(t, q.Queue(next))
		require.NoError(t, next.Flush(bg))
		require.Equal(t, "sleep", seen.story(slow))
		e := seen.of(slow.ID())[0]
		require.True(t, e.Assumed)
		require.NotEmpty(t, e.Worker)
		require.Contains(t, e.FuncName(), "TestAssumedSleepsAreTold")
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithObserver(seen), func(o *actors.Options) error {
		o.Source = unused{actors.PortableSource()}
		return nil
	})
}

// explosive is an observer that panics at its n-th event.
type explosive struct{ n, told atomic.Int64 }

func (x *explosive) Observe(cmwq.Event) {
	x.told.Add(1)
	if x.n.Add(-1) <= 0 {
		panic("observer")
	}
}

// A panic in an observer harms nobody: it is logged once, and the observer is told
// nothing more; others are.
func TestObserverThatPanics(t *testing.T) {
	var log bytes.Buffer
	bad, good := &explosive{}, newWitness()
	bad.n.Store(3)
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w := cmwq.NewWork(nop)
		for range 10 {
			require.NoError(t, q.Queue(w))
			require.NoError(t, q.Flush(bg))
		}
		require.NoError(t, sys.Stop(bg))
		require.EqualValues(t, 3, bad.told.Load())
		require.Len(t, good.of(w.ID()), 40)
		require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("an observer panicked")))
		require.Contains(t, log.String(), "explosive")
	}, cmwq.WithObserver(bad, good), cmwq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
}

// An observer may queue work, of which it is told in turn.
func TestObserverThatQueues(t *testing.T) {
	var q *cmwq.Queue
	ran := cmwq.NewWork(nop)
	seen := newWitness()
	again := observerFunc(func(e cmwq.Event) {
		if e.Kind == cmwq.EventEnd && e.Item != ran.ID() {
			_ = q.Queue(ran)
		}
	})
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q = queue(t, sys, "q")
		require.NoError(t, q.Go(nop))
		require.NoError(t, q.Flush(bg))
		require.NoError(t, ran.Flush(bg))
		require.Equal(t, "queue activate start end", seen.story(ran))
	}, cmwq.WithObserver(again, seen))
}

type observerFunc func(cmwq.Event)

func (f observerFunc) Observe(e cmwq.Event) { f(e) }

// Observers are told of an item without an allocation, closures too, and of what they do
// not want not at all.
func TestAllocationsOfEvents(t *testing.T) {
	if raceEnabled || invariants.Enabled {
		t.Skip("the race detector allocates, and so do the checks")
	}
	var told atomic.Int64
	for name, o := range map[string]cmwq.Observer{
		"all":  observerFunc(func(cmwq.Event) { told.Add(1) }),
		"rare": newWitness(cmwq.EventMayday),
	} {
		sys := start(t, cmwq.WithObserver(o))
		q := queue(t, sys, "q")
		ran := make(chan struct{})
		f := func(*cmwq.Context) error { ran <- struct{}{}; return nil }
		w := cmwq.NewWork(f)
		got := testing.AllocsPerRun(1000, func() {
			for q.Queue(w) != nil { // the last run has not ended
			}
			<-ran
			_ = q.Go(f)
			<-ran
		})
		require.Less(t, got, 0.5, name)
		require.NoError(t, q.Flush(bg))
	}
	require.NotZero(t, told.Load())
}

// Queueing from all sides, on all kinds of queue, each item's story is whole.
func TestStoriesUnderStress(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			seen := newWitness(cmwq.EventQueue, cmwq.EventActivate, cmwq.EventStart, cmwq.EventEnd, cmwq.EventFail, cmwq.EventCancel)
			sys := start(t, cmwq.WithObserver(seen))
			q := queue(t, sys, "q", kind)
			works := make([]*cmwq.Work, short.AtLeast(60, 200))
			for i := range works {
				works[i] = cmwq.NewWork(nop)
			}
			var all sync.WaitGroup
			for g := range 4 {
				all.Go(func() {
					for i := g; i < len(works); i += 4 {
						switch i % 3 {
						case 0:
							_ = q.Queue(works[i])
						case 1:
							_ = q.Keyed(i % 5).Queue(works[i])
						default:
							_ = q.QueueAfter(time.Microsecond, works[i])
						}
					}
				})
			}
			all.Wait()
			for _, w := range works {
				require.NoError(t, w.Flush(context.Background()))
			}
			for _, w := range works {
				require.Equal(t, "queue activate start end", seen.story(w))
			}
		})
	}
}
