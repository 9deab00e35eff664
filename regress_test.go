package cmwq_test

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

func TestMaxActiveLoweredThenRaised(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q", cmwq.MaxActive(4))
	require.NoError(t, q.SetMaxActive(1))
	require.NoError(t, q.SetMaxActive(4))
	st, err := q.Stats(bg)
	require.NoError(t, err)
	require.Equal(t, 4, st.MaxActive)
}

func TestDrainWaitsForChainedWorkOnAnotherCPU(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		var ran atomic.Int32
		last := cmwq.NewWork(func(ctx *cmwq.Context) error { defer ran.Add(1); return ctx.Sleep(10 * time.Millisecond) })
		second := cmwq.NewWork(func(ctx *cmwq.Context) error {
			_ = ctx.Sleep(10 * time.Millisecond)
			return cmwq.CurrentQueue(ctx).QueueOn(1, last)
		})
		first := cmwq.NewWork(func(ctx *cmwq.Context) error {
			_ = ctx.Sleep(10 * time.Millisecond)
			return cmwq.CurrentQueue(ctx).QueueOn(0, second)
		})
		require.NoError(t, q.QueueOn(0, first))
		require.NoError(t, q.Drain(bg))
		require.EqualValues(t, 1, ran.Load())
	})
}

func TestNoOverlapAfterArmAndCancelDuringARun(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		var in, most atomic.Int32
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			raise(&most, in.Add(1))
			defer in.Add(-1)
			return ctx.Sleep(10 * time.Millisecond)
		})
		require.NoError(t, q.QueueOn(0, w))
		synctest.Wait()
		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.True(t, w.Cancel())
		require.NoError(t, q.QueueOn(1, w))
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 1, most.Load())
	})
}

func TestPanicDuringGoexit(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q")
	require.NoError(t, q.Go(func(*cmwq.Context) error {
		defer func() { panic("while it unwinds") }()
		runtime.Goexit()
		return nil
	}))
	ctx, cancel := context.WithTimeout(bg, 2*time.Second)
	defer cancel()
	require.NoError(t, q.Flush(ctx))
}

func TestNestedDeclaredSleeps(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		release := make(chan struct{})
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			ctx.Block(func() {
				_ = ctx.Sleep(time.Millisecond)
				<-release
			})
			return nil
		}))
		time.Sleep(10 * time.Millisecond)
		var ran atomic.Bool
		require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Store(true); return nil }))
		time.Sleep(50 * time.Millisecond)
		if !ran.Load() {
			t.Error("it blocks, and said so, yet nothing else starts")
		}
		close(release)
	}, cmwq.WithHogThreshold(0), noGauges())
}

func TestNestedSleepTime(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			ctx.Block(func() {
				_ = ctx.Sleep(10 * time.Millisecond)
			})
			return nil
		}))
		require.NoError(t, q.Flush(bg))
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 0, st.CPUTime)
	}, cmwq.WithHogThreshold(0), noGauges())
}

func TestModifyMovesToAnotherQueue(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		a, b := queue(t, sys, "a"), queue(t, sys, "b")
		var on record
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			if cmwq.CurrentQueue(ctx).Name() == "b" {
				on.add(1)
			} else {
				on.add(0)
			}
			return nil
		})
		require.NoError(t, a.QueueAfter(time.Second, w))
		_, err := b.Modify(time.Millisecond, w)
		require.NoError(t, err)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, []int{1}, on.get())
	})
}

func TestArmedForEver(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { t.Error("ran"); return nil })
		require.NoError(t, q.QueueAfter(math.MaxInt64, w))
		time.Sleep(time.Second)
		require.True(t, w.Cancel())
	})
}

func TestLeakedContextIsOver(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var leaked *cmwq.Context
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { leaked = ctx; return nil }))
		require.NoError(t, q.Flush(bg))
		_ = leaked.Err()
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Hour) })
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		at := since()
		_, err := w.CancelWait(bg)
		require.NoError(t, err)
		require.Equal(t, 0, at())
	})
}

// A queue whose declared calls are short tells its pool nothing; the one that
// blocks after all is noticed all the same.
func TestShortBlocksAreQuietUntilOneIsLong(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		release := make(chan struct{})
		short := func(ctx *cmwq.Context) error {
			for range 100 {
				ctx.Block(func() {})
			}
			return nil
		}
		require.NoError(t, q.Go(short))
		require.NoError(t, q.Flush(bg))
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			_ = short(ctx)
			ctx.Block(func() { <-release })
			return nil
		}))
		at := time.Now()
		waited := make(chan time.Duration, 1)
		require.NoError(t, q.Go(func(*cmwq.Context) error { waited <- time.Since(at); return nil }))
		time.Sleep(10 * time.Millisecond)
		close(release)
		require.NoError(t, q.Flush(bg))
		w := <-waited
		require.Greater(t, w, time.Duration(0), "nothing was started for the short ones")
		require.LessOrEqual(t, w, 200*time.Microsecond)
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 1, st.CMWakeup)
	}, cmwq.WithHogThreshold(0), noGauges())
}
