package cmwq_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/short"
)

// Conformance 58: a rescuer that two pools call runs 17 items in the one, then
// those of the other, then the rest.
func TestRescuerTurnChange(t *testing.T) {
	hunger, seen := &famine{}, newWitness(cmwq.EventMayday, cmwq.EventRescue)
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		sleepers, q := queue(t, sys, "sleepers", cmwq.PerCPU()), queue(t, sys, "q", cmwq.PerCPU(), cmwq.MemReclaim())
		synctest.Wait()
		hunger.on.Store(true)
		gates := []*gate{newGate(), newGate()}
		for cpu, g := range gates {
			require.NoError(t, sleepers.QueueOn(cpu, g.Work))
			<-g.entered
		}
		synctest.Wait()
		hold := make(chan struct{})
		var order []int // the rescuer is one goroutine
		first := true
		put := func(cpu, n int) {
			for range n {
				require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(func(ctx *cmwq.Context) error {
					require.True(t, ctx.IsRescuer())
					if first {
						first = false
						<-hold // not declared: what is behind it stays
					}
					if n := len(order); n > 0 && order[n-1]/100 == ctx.CPU() {
						order[n-1]++
					} else {
						order = append(order, 100*ctx.CPU()+1)
					}
					return nil
				})))
			}
		}
		put(0, 40)
		time.Sleep(15 * time.Millisecond) // the rescuer is in the pool of CPU 0
		put(1, 20)
		time.Sleep(100 * time.Millisecond) // and CPU 1's has called
		close(hold)
		require.NoError(t, q.Flush(bg))
		// CPU 0 has called again meanwhile, with what the rescuer has not got yet.
		require.Equal(t, []int{17, 117, 17, 103, 6}, order)
		st := stats(t, q)
		require.EqualValues(t, 60, st.Rescued)
		told := map[cmwq.EventKind]int{}
		for _, e := range seen.events() {
			if told[e.Kind] += e.N; e.Kind == cmwq.EventMayday {
				told[e.Kind] += 1 - e.N // how often, and not for how many
			}
		}
		require.Equal(t, map[cmwq.EventKind]int{cmwq.EventMayday: int(st.Mayday), cmwq.EventRescue: 60}, told)
		hunger.on.Store(false)
		for _, g := range gates {
			close(g.open)
		}
	}, hunger.option(), noGauges(), cmwq.WithObserver(seen))
}

// Conformance 60: a rescuer that leaves kicks the pool: what its item held up
// starts at once, on the worker that has come meanwhile.
func TestLeavingRescuerKicksThePool(t *testing.T) {
	starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MemReclaim(), cmwq.MaxActive(1))
		at := since()
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(1500 * time.Millisecond) }))
		time.Sleep(20 * time.Millisecond)
		var second, rescued = 0, true
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { second, rescued = at(), ctx.IsRescuer(); return nil }))
		hunger.on.Store(false)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, 1510, second)
		require.False(t, rescued)
		close(sleeper.open)
	})
}

// Conformance 61: thousands of items behind a MaxActive of 1 are rescued without
// a call for each.
func TestRescueOfManyBehindOneSlot(t *testing.T) {
	starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MemReclaim(), cmwq.MaxActive(1))
		at := since()
		next, items := 0, short.Rounds(3000)
		for i := range items {
			require.NoError(t, q.Go(func(*cmwq.Context) error {
				require.Equal(t, i, next)
				next++
				return nil
			}))
		}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, 10, at())
		st := stats(t, q)
		require.EqualValues(t, items, st.Rescued)
		require.EqualValues(t, 1, st.Mayday)
		close(sleeper.open)
	})
}

// Conformance 62, R12: the weakness that the kernel has, too. Behind an item that
// keeps its CPU, or beside an idle worker, nobody is rescued.
func TestRescuerIsNotSummonedWhileThePoolRuns(t *testing.T) {
	for _, idle := range []bool{true, false} {
		hunger := &famine{}
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MemReclaim())
			synctest.Wait()
			hunger.on.Store(!idle)
			open := make(chan struct{})
			require.NoError(t, q.Go(func(*cmwq.Context) error { <-open; return nil })) // runs, for all that is known
			var ran atomic.Bool
			require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Store(true); return nil }))
			time.Sleep(900 * time.Millisecond)
			require.False(t, ran.Load())
			require.Zero(t, stats(t, q).Mayday, "idle worker: %v", idle)
			close(open)
			require.NoError(t, q.Flush(bg))
			require.Zero(t, stats(t, q).Rescued)
			hunger.on.Store(false)
		}, hunger.option(), noGauges(), cmwq.WithHogThreshold(0))
	}
}

// Every kind of queue may have a rescuer. The limit of workers is a shortage as
// any other, and a rescuer does not count against it.
func TestRescueOfEveryKind(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				plain, q := queue(t, sys, "plain", kind), queue(t, sys, "q", kind, cmwq.MemReclaim())
				g := newGate()
				require.NoError(t, plain.Queue(g.Work))
				<-g.entered
				at := since()
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					require.True(t, ctx.IsRescuer())
					require.Equal(t, 10, at())
					return nil
				})
				require.NoError(t, q.Queue(w))
				require.NoError(t, w.Flush(bg))
				require.EqualValues(t, 1, stats(t, q).Rescued)
				require.Equal(t, 10, at())
				close(g.open)
				require.NoError(t, plain.Flush(bg))
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
					require.False(t, ctx.IsRescuer(), "the pool has its worker back")
					return nil
				}))
				require.NoError(t, q.Flush(bg))
				require.EqualValues(t, 1, stats(t, q).Rescued)
			}, cmwq.WithMaxWorkers(1))
		})
	}
}

// WithMemoryPressure's two values, and what is not one.
func TestMemoryPressureOption(t *testing.T) {
	for _, on := range []bool{true, false} {
		o := actors.Options{}
		require.NoError(t, cmwq.WithMemoryPressure(on)(&o))
		require.Equal(t, !on, o.IgnoreMemory)
	}
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Hour) }))
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Hour) }))
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithMemoryPressure(true))
}
