package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

func TestOnEachCPURunsOnceOnEach(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	sys := start(t, machine)
	for range 20 {
		ran := make([]atomic.Int32, cpus)
		require.NoError(t, sys.OnEachCPU(bg, func(ctx *cmwq.Context) error {
			ran[ctx.CPU()].Add(1)
			return nil
		}))
		for cpu := range ran {
			require.EqualValues(t, 1, ran[cpu].Load(), "CPU %d", cpu)
		}
	}
}

func TestOnEachCPUCollectsErrors(t *testing.T) {
	machine, _ := pods(t, twoPods)
	sys := start(t, machine, silent())
	odd := errors.New("odd")
	err := sys.OnEachCPU(bg, func(ctx *cmwq.Context) error {
		switch ctx.CPU() {
		case 1:
			return odd
		case 2:
			panic("two")
		}
		return nil
	})
	require.ErrorIs(t, err, odd)
	var panicked *cmwq.PanicError
	require.ErrorAs(t, err, &panicked)
	require.Equal(t, "two", panicked.Value)
	var failed []int
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var on *cmwq.CPUError
		require.ErrorAs(t, e, &on)
		failed = append(failed, on.CPU)
	}
	require.Equal(t, []int{1, 2}, failed)
	require.ErrorIs(t, sys.OnEachCPU(bg, nil), cmwq.ErrNoFunc)
}

// A CPU that is held delays its own call only; when the context ends, that call
// will not start any more.
func TestOnEachCPUWaitsForAll(t *testing.T) {
	machine, _ := pods(t, twoPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		at := since()
		ends := func(ctx context.Context) error {
			return sys.OnEachCPU(ctx, func(c *cmwq.Context) error {
				return c.Sleep(time.Duration(10*(1+c.CPU())) * time.Millisecond)
			})
		}
		require.NoError(t, ends(bg))
		require.Equal(t, 40, at(), "the longest of four at once")

		hold, entered, open := latch()
		require.NoError(t, sys.Default().QueueOn(2, hold))
		<-entered
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		var ran atomic.Int32
		err := sys.OnEachCPU(ctx, func(c *cmwq.Context) error { ran.Add(1); return nil })
		var on *cmwq.CPUError
		require.ErrorAs(t, err, &on)
		require.Equal(t, 2, on.CPU)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1040, at())
		open <- struct{}{}
		synctest.Wait()
		require.EqualValues(t, 3, ran.Load(), "the fourth was cancelled")
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}

func TestRunOn(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	sys := start(t, machine, silent())
	for cpu := range cpus {
		where := -1
		boom := fmt.Errorf("boom %d", cpu)
		require.ErrorIs(t, sys.RunOn(bg, cpu, func(ctx *cmwq.Context) error { where = ctx.CPU(); return boom }), boom)
		require.Equal(t, cpu, where)
		got, err := cmwq.SubmitOn(sys.Default(), cpu, func(ctx *cmwq.Context) (int, error) { return ctx.CPU(), nil }).Wait(bg)
		require.NoError(t, err)
		require.Equal(t, cpu, got)
	}
	never := func(*cmwq.Context) error { t.Error("ran"); return nil }
	for _, cpu := range []int{-1, cpus, 1 << 20} {
		require.ErrorIs(t, sys.RunOn(bg, cpu, never), cmwq.ErrCPU)
	}
	require.ErrorIs(t, sys.RunOn(bg, 0, nil), cmwq.ErrNoFunc)
	require.NoError(t, sys.Stop(bg))
	require.ErrorIs(t, sys.RunOn(bg, 0, never), cmwq.ErrStopped)
	require.ErrorIs(t, sys.OnEachCPU(bg, never), cmwq.ErrStopped)
}

// R1, the caller's side: a call on a CPU waits behind an item that holds it; that a
// hog is passed is the pool's affair.
func TestRunOnWaitsBehindTheCPUsItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		hold, entered, open := latch()
		require.NoError(t, sys.Default().QueueOn(0, hold))
		<-entered
		done := make(chan error, 1)
		go func() { done <- sys.RunOn(bg, 0, func(*cmwq.Context) error { return nil }) }()
		synctest.Wait()
		require.Empty(t, done)
		require.NoError(t, sys.RunOn(bg, 1, func(*cmwq.Context) error { return nil }), "another CPU is free")
		open <- struct{}{}
		require.NoError(t, <-done)
	}, noGauges(), cmwq.WithHogThreshold(0))
}
