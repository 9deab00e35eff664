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
