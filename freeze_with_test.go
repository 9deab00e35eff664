package cmwq_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// frozenWith gives a frozen queue with an item that waits, and what ran.
func frozenWith(t *testing.T, sys *cmwq.System, opts ...cmwq.QueueOption) (*cmwq.Queue, *cmwq.Work, *record) {
	t.Helper()
	q := queue(t, sys, "q", append(opts, cmwq.Freezable())...)
	require.NoError(t, sys.Freeze(bg))
	ran := &record{}
	w := logs(ran, 1, 0)
	require.NoError(t, q.Queue(w))
	synctest.Wait()
	return q, w, ran
}

func TestFreezeAndDrainOrDestroy(t *testing.T) {
	for name, end := range map[string]func(q *cmwq.Queue, ctx context.Context) error{
		"drain": (*cmwq.Queue).Drain, "destroy": (*cmwq.Queue).Destroy, "flush": (*cmwq.Queue).Flush,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, _, ran := frozenWith(t, sys)
				ended := make(chan error, 1)
				go func() { ended <- end(q, bg) }()
				time.Sleep(time.Second)
				require.Empty(t, ended, "it waits for what waits for the thaw")
				sys.Thaw()
				require.NoError(t, <-ended)
				require.Equal(t, []int{1}, ran.get())
				require.NoError(t, sys.Freeze(bg))
				sys.Thaw()
			})
		})
	}
}

func TestFreezeAndCancel(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, w, ran := frozenWith(t, sys)
		require.Error(t, w.Flush(soon(t)))
		require.True(t, w.Cancel(), "cancelling does not wait for the thaw")
		require.NoError(t, q.Queue(w))
		was, err := w.CancelWait(bg)
		require.NoError(t, err)
		require.True(t, was)
		require.NoError(t, q.Drain(bg))
		sys.Thaw()
		require.NoError(t, q.Flush(bg))
		require.Empty(t, ran.get())
	})
}

func TestFreezeAndStop(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		_, _, ran := frozenWith(t, sys)
		require.NoError(t, sys.Stop(bg))
		require.Equal(t, []int{1}, ran.get(), "a stop thaws: what was accepted is done")
		require.ErrorIs(t, sys.Freeze(bg), cmwq.ErrStopped)
		sys.Thaw()
	})
}

func TestStopEndsAFreezeThatWaits(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Freezable())
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }))
		frozen := make(chan error, 1)
		go func() { frozen <- sys.Freeze(bg) }()
		synctest.Wait()
		require.NoError(t, sys.Stop(bg))
		require.ErrorIs(t, <-frozen, cmwq.ErrThawed)
	})
}

func TestFreezeAndSetMaxActive(t *testing.T) {
	machine, _ := pods(t, twoPods)
	for name, opt := range map[string]cmwq.QueueOption{"managed": cmwq.MaxActive(1), "percpu": cmwq.PerCPU()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, _, ran := frozenWith(t, sys, cmwq.MaxActive(1), opt)
				var m meter
				for range 20 {
					require.NoError(t, q.QueueOn(0, m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })))
				}
				require.NoError(t, q.SetMaxActive(5))
				time.Sleep(time.Second)
				require.Empty(t, ran.get(), "a limit that is raised thaws nothing")
				require.Zero(t, m.in.Load())
				sys.Thaw()
				require.NoError(t, q.Flush(bg))
				require.EqualValues(t, 5, m.most.Load(), "and is in force then")
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// A timer goes on in the frost; what it queues waits.
func TestFreezeAndTimers(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Freezable())
		var ran record
		w := logs(&ran, 1, 0)
		require.NoError(t, q.QueueAfter(time.Millisecond, w))
		require.NoError(t, sys.Freeze(bg))
		time.Sleep(time.Second)
		require.Equal(t, cmwq.Busy{Pending: true}, w.Busy())
		sys.Thaw()
		require.NoError(t, w.Flush(bg))
		require.Equal(t, []int{1}, ran.get())
	})
}

func TestFreezeInsideAnItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q, plain := queue(t, sys, "q", cmwq.Freezable()), queue(t, sys, "plain")
		err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error { return sys.Freeze(ctx) })
		requireDeadlock(t, err, "q", "")
		require.False(t, sys.Frozen(), "what was refused has not begun")
		require.NoError(t, inItem(t, plain, func(ctx *cmwq.Context, _ *cmwq.Work) error { return sys.Freeze(ctx) }))
		sys.Thaw()
		err = inItem(t, plain, func(ctx *cmwq.Context, self *cmwq.Work) error {
			if err := q.Go(func(ctx *cmwq.Context) error { return self.Flush(ctx) }); err != nil {
				return err
			}
			_ = ctx.Sleep(time.Millisecond)
			return sys.Freeze(ctx)
		})
		requireDeadlock(t, err, "plain", "")
	}, noGauges())
}

// A requeue by an item that ends in the frost waits, as any.
func TestARequeueInTheFrostWaits(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Freezable())
		runs := 0
		var w *cmwq.Work
		w = cmwq.NewWork(func(ctx *cmwq.Context) error {
			runs++
			_ = ctx.Sleep(time.Millisecond)
			return q.Queue(w)
		})
		require.NoError(t, q.Queue(w))
		require.NoError(t, sys.Freeze(bg))
		require.Equal(t, 1, runs)
		sys.Thaw()
		time.Sleep(5500 * time.Microsecond)
		synctest.Wait()
		require.Equal(t, 7, runs)
		_, err := w.CancelWait(bg)
		require.NoError(t, err)
	}, noGauges())
}

// TestStressFreeze freezes and thaws beside producers, cancels and new queues.
func TestStressFreeze(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	sys := start(t, silent(), machine)
	for _, opts := range [][]cmwq.QueueOption{{}, {cmwq.MaxActive(2)}, {cmwq.Ordered()}, {cmwq.PerCPU()}, {cmwq.Unbound()}} {
		q := queue(t, sys, "q", append(opts, cmwq.Freezable())...)
		var m meter
		var wg sync.WaitGroup
		stop := make(chan struct{})
		var cancelled, queued [3]int32
		for p := range 3 {
			wg.Go(func() {
				for i := range short.Rounds(2000) {
					w := m.work(func(*cmwq.Context) {})
					if err := q.QueueOn((i+p)%cpus, w); err != nil {
						t.Error(err)
					}
					queued[p]++
					if i%7 == 0 && w.Cancel() {
						cancelled[p]++
					}
				}
			})
		}
		go func() { wg.Wait(); close(stop) }()
		for ended := false; !ended; {
			require.NoError(t, sys.Freeze(bg))
			if n := m.in.Load(); n != 0 {
				t.Error("frozen, and an item runs", n)
			}
			runtime.Gosched()
			sys.Thaw()
			select {
			case <-stop:
				ended = true
			default:
			}
		}
		require.NoError(t, q.Flush(bg))
		sum := int32(0)
		for p := range 3 {
			sum += queued[p] - cancelled[p]
		}
		require.Equal(t, sum, m.done.Load())
		require.NoError(t, q.Destroy(bg))
		waitGone(sys, "q")
	}
}
