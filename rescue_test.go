package cmwq_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
)

var errNoMemory = errors.New("no memory")

// famine refuses workers while it lasts.
type famine struct {
	on    atomic.Bool
	tries atomic.Int32 // refused
}

func (f *famine) option() cmwq.Option {
	return func(o *actors.Options) error {
		o.CreateFault = func(what, _ string) error {
			if what != "worker" || !f.on.Load() {
				return nil
			}
			f.tries.Add(1)
			return errNoMemory
		}
		return nil
	}
}

// starved runs f in a bubble with one CPU, whose pool has one worker, asleep in
// an item of a plain queue, and gets no more while the famine lasts.
func starved(t *testing.T, f func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate), opts ...cmwq.Option) {
	t.Helper()
	hunger := &famine{}
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "sleeper", cmwq.PerCPU())
		synctest.Wait() // the pool has its first worker
		hunger.on.Store(true)
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		synctest.Wait()
		f(t, sys, hunger, g)
		hunger.on.Store(false)
	}, append(opts, hunger.option())...)
}

func stats(t *testing.T, q *cmwq.Queue) cmwq.Stats {
	t.Helper()
	st, err := q.Stats(bg)
	require.NoError(t, err)
	return st
}

// Conformance 54, 55, 51: an item of a MemReclaim queue runs on the rescuer 10 ms
// after the pool asked for a worker in vain, and every 100 ms from then on there
// is another call; an item of a plain queue waits for a worker.
func TestRescue(t *testing.T) {
	starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
		reclaim, plain := queue(t, sys, "reclaim", cmwq.PerCPU(), cmwq.MemReclaim()), queue(t, sys, "plain", cmwq.PerCPU())
		at := since()
		var ran []int
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			ran = append(ran, at())
			require.True(t, ctx.IsRescuer())
			require.Equal(t, "kworker/R-reclaim", ctx.Worker())
			require.Equal(t, 0, ctx.CPU())
			return nil
		})
		var plainAt atomic.Int64
		require.NoError(t, plain.Go(func(ctx *cmwq.Context) error {
			require.False(t, ctx.IsRescuer())
			require.True(t, strings.HasPrefix(ctx.Worker(), "kworker/0:"))
			plainAt.Store(int64(at()))
			return nil
		}))
		require.NoError(t, reclaim.Queue(w))
		require.NoError(t, reclaim.Flush(bg))
		time.Sleep(40 * time.Millisecond) // until 50
		require.NoError(t, reclaim.Queue(w))
		require.NoError(t, reclaim.Flush(bg))
		require.Equal(t, []int{10, 110}, ran)
		st := stats(t, reclaim)
		require.EqualValues(t, 2, st.Mayday)
		require.EqualValues(t, 2, st.Rescued)
		require.EqualValues(t, 2, st.Total)
		require.Zero(t, stats(t, plain).Mayday)
		require.EqualValues(t, 1, hunger.tries.Load())
		time.Sleep(800 * time.Millisecond) // until 910
		hunger.on.Store(false)
		require.NoError(t, plain.Flush(bg))
		require.EqualValues(t, 1000, plainAt.Load(), "a second after the failure the pool tries again")
		close(sleeper.open)
	})
}

// Conformance 56: of a worklist that several queues share, a rescuer runs its own
// queue's items and no other.
func TestRescuerRunsItsOwnQueuesItems(t *testing.T) {
	starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
		names := []string{"a", "b", "plain"}
		queues := []*cmwq.Queue{
			queue(t, sys, "a", cmwq.PerCPU(), cmwq.MemReclaim()), queue(t, sys, "b", cmwq.PerCPU(), cmwq.MemReclaim()),
			queue(t, sys, "plain", cmwq.PerCPU()),
		}
		var ran [3]atomic.Int32
		for i := range 90 {
			name, n := names[i%3], &ran[i%3]
			require.NoError(t, queues[i%3].Go(func(ctx *cmwq.Context) error {
				require.Equal(t, name, cmwq.CurrentQueue(ctx).Name())
				require.Equal(t, name != "plain", ctx.IsRescuer())
				if ctx.IsRescuer() {
					require.Equal(t, "kworker/R-"+name, ctx.Worker())
				}
				n.Add(1)
				return nil
			}))
		}
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, []int32{30, 30, 0}, []int32{ran[0].Load(), ran[1].Load(), ran[2].Load()})
		hunger.on.Store(false)
		require.NoError(t, queues[2].Flush(bg))
		require.EqualValues(t, 30, ran[2].Load())
		require.EqualValues(t, 30, stats(t, queues[0]).Rescued)
		close(sleeper.open)
	})
}

// Conformance 57, R10: while the rescuer is in an item that blocks, declared or
// not, the pool may recover; its workers take what the rescuer has not started.
func TestPoolThatRecoveredTakesTheRest(t *testing.T) {
	for _, declared := range []bool{true, false} {
		starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
			q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MemReclaim())
			open := make(chan struct{})
			at := since()
			var ran, rescued atomic.Int32
			for i := range 10 {
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
					switch {
					case i > 0:
					case declared:
						ctx.Block(func() { <-open })
					default:
						<-open
					}
					if ran.Add(1); ctx.IsRescuer() {
						rescued.Add(1)
					}
					return nil
				}))
			}
			time.Sleep(500 * time.Millisecond)
			require.Zero(t, ran.Load(), "one at a time")
			require.EqualValues(t, 1, stats(t, q).Rescued, "the others may be taken back, and no count falls")
			hunger.on.Store(false)
			time.Sleep(500 * time.Millisecond)
			synctest.Wait()
			require.Equal(t, 1000, at())
			require.EqualValues(t, 9, ran.Load(), "declared: %v", declared)
			require.Zero(t, rescued.Load())
			close(open)
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 1, rescued.Load())
			require.EqualValues(t, 1, stats(t, q).Rescued)
			close(sleeper.open)
		})
	}
}
