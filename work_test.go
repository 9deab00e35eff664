package cmwq_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
)

// quietSource ticks by the runtime and sees no gauges: in virtual time the
// process's real ones say nothing.
type quietSource struct{ actors.Source }

func (quietSource) Gauges() policy.Gauges { return policy.Gauges{} }

func noGauges() cmwq.Option {
	return func(o *actors.Options) error { o.Source = quietSource{actors.PortableSource()}; return nil }
}

func TestCancelPending(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(1))
				g := newGate()
				require.NoError(t, q.Queue(g.Work))
				<-g.entered
				w := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
				require.NoError(t, q.Queue(w))
				flushed := make(chan error, 1)
				go func() { flushed <- w.Flush(bg) }()
				synctest.Wait()
				require.True(t, w.Cancel())
				require.NoError(t, <-flushed, "who waits for a cancelled item is released")
				require.False(t, w.Cancel())
				require.False(t, g.Cancel(), "it runs, and is not pending")
				g.open <- struct{}{}
				require.NoError(t, q.Flush(bg))
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Equal(t, 0, st.Active+st.Inactive)
			})
		})
	}
}

func TestCancelWaitStopsASelfRearmingItem(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var w *cmwq.Work
		var refused error
		w = cmwq.NewWork(func(ctx *cmwq.Context) error {
			err := ctx.Sleep(time.Second)
			refused = q.Queue(w)
			return err
		})
		require.NoError(t, q.Queue(w))
		time.Sleep(500 * time.Millisecond)
		at := since()
		was, err := w.CancelWait(bg)
		require.NoError(t, err)
		require.False(t, was, "it only ran")
		require.Equal(t, 0, at(), "its context was cancelled")
		require.ErrorIs(t, refused, cmwq.ErrDisabled)
		require.Equal(t, cmwq.Busy{}, w.Busy())
		require.NoError(t, q.Queue(w), "afterwards anybody may queue it")
		was, err = w.CancelWait(bg)
		require.NoError(t, err)
		_ = was // it may have started
	})
}

func TestConcurrentCancelWait(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q")
	for range 1000 {
		w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, q.Queue(w))
		var was atomic.Int32
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				pending, err := w.CancelWait(bg)
				if err != nil {
					t.Error(err)
				}
				if pending {
					was.Add(1)
				}
			})
		}
		wg.Wait()
		require.LessOrEqual(t, was.Load(), int32(1))
		require.Equal(t, cmwq.Busy{}, w.Busy())
	}
}

func TestDisableNests(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	_, err := w.Enable()
	require.ErrorIs(t, err, cmwq.ErrEnabled)
	for range 3 {
		was, err := w.Disable(bg)
		require.NoError(t, err)
		require.False(t, was)
	}
	for left := 2; left >= 0; left-- {
		require.ErrorIs(t, q.Queue(w), cmwq.ErrDisabled)
		require.ErrorIs(t, q.QueueAfter(time.Second, w), cmwq.ErrDisabled)
		_, err := w.CancelWait(bg)
		require.NoError(t, err, "cancel leaves it as disabled as it was")
		n, err := w.Enable()
		require.NoError(t, err)
		require.Equal(t, left, n)
	}
	require.Equal(t, cmwq.Busy{}, w.Busy(), "enabling queues nothing")
	require.NoError(t, q.Queue(w))
	require.NoError(t, w.Flush(bg))
}

// record is what items did, in order.
type record struct {
	mu   sync.Mutex
	what []int
}

func (r *record) add(v int) { r.mu.Lock(); r.what = append(r.what, v); r.mu.Unlock() }

func (r *record) get() []int { r.mu.Lock(); defer r.mu.Unlock(); return slices.Clone(r.what) }

func TestDelayed(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		var ran record
		w := cmwq.NewWork(func(*cmwq.Context) error { ran.add(at()); return nil })
		require.NoError(t, q.QueueAfter(10*time.Millisecond, w))
		require.ErrorIs(t, q.Queue(w), cmwq.ErrPending)
		require.NoError(t, q.Flush(bg), "a flush does not wait for timers")
		require.Empty(t, ran.get())
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, []int{10}, ran.get())

		require.NoError(t, q.QueueAfter(10*time.Millisecond, w))
		require.True(t, w.Cancel())
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		require.Len(t, ran.get(), 1, "a cancelled timer never fires")

		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.NoError(t, w.Flush(bg), "flushing an armed item runs it now")
		require.Equal(t, []int{10, 40}, ran.get())

		require.NoError(t, q.QueueAfter(0, w))
		require.NoError(t, q.QueueAfter(-1, cmwq.NewWork(w.Func)))
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{10, 40, 40, 40}, ran.get())
	})
}

func TestModify(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		var ran record
		w := cmwq.NewWork(func(*cmwq.Context) error { ran.add(at()); return nil })
		modify := func(ms int) bool {
			was, err := q.Modify(time.Duration(ms)*time.Millisecond, w)
			require.NoError(t, err)
			return was
		}
		require.False(t, modify(10), "idle: armed")
		require.True(t, modify(30), "later")
		require.True(t, modify(20), "earlier")
		time.Sleep(50 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, []int{20}, ran.get(), "one firing, at the new time")
		modify(1000)
		require.True(t, modify(0), "now")
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{20, 50}, ran.get())
		_, err := w.Disable(bg)
		require.NoError(t, err)
		_, err = q.Modify(time.Second, w)
		require.ErrorIs(t, err, cmwq.ErrDisabled)
	})
}

func TestModifyMovesToTheTail(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		var ran []string
		item := func(name string) *cmwq.Work {
			w := cmwq.NewWork(func(*cmwq.Context) error { ran = append(ran, name); return nil })
			require.NoError(t, q.Queue(w))
			return w
		}
		a := item("a")
		item("b")
		was, err := q.Modify(0, a)
		require.NoError(t, err)
		require.True(t, was)
		g.open <- struct{}{}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []string{"b", "a"}, ran)
	})
}

func TestFlushWork(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) })
		require.NoError(t, w.Flush(bg), "never queued")
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		require.NoError(t, q.Queue(w))
		ends := make(chan int, 3)
		for range 3 {
			go func() { _ = w.Flush(bg); ends <- at() }()
		}
		for range 3 {
			require.Equal(t, 20, <-ends, "running and pending: the pending one")
		}
		require.NoError(t, q.Queue(w))
		ctx, cancel := context.WithTimeout(bg, time.Millisecond)
		defer cancel()
		require.ErrorIs(t, w.Flush(ctx), context.DeadlineExceeded)
	})
}

func TestWritesBeforeQueueAreVisible(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	var x int // guarded by nothing but Queue and Flush
	w := cmwq.NewWork(func(*cmwq.Context) error { x++; return nil })
	for i := range 1000 {
		x = 2 * i
		require.NoError(t, q.Queue(w))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 2*i+1, x)
	}
}
