package cmwq_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

func TestPauseAndDrainOrDestroy(t *testing.T) {
	for name, end := range map[string]func(q *cmwq.Queue) error{
		"drain":   func(q *cmwq.Queue) error { return q.Drain(bg) },
		"destroy": func(q *cmwq.Queue) error { return q.Destroy(bg) },
		"flush":   func(q *cmwq.Queue) error { return q.Flush(bg) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				require.NoError(t, q.Pause(bg))
				var ran record
				require.NoError(t, q.Queue(logs(&ran, 1, 0)))
				ended := make(chan error, 1)
				go func() { ended <- end(q) }()
				time.Sleep(time.Second)
				require.Empty(t, ended, "it waits for what waits for Resume")
				require.NoError(t, q.Resume())
				require.NoError(t, <-ended)
				require.Equal(t, []int{1}, ran.get())
			})
		})
	}
}

func TestPauseAndCancel(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Pause(bg))
		var ran record
		w := logs(&ran, 1, 0)
		require.NoError(t, q.Queue(w))
		synctest.Wait()
		require.Error(t, w.Flush(soon(t)))
		require.True(t, w.Cancel(), "cancelling does not wait")
		require.NoError(t, q.Drain(bg))
		require.NoError(t, q.Resume())
		require.NoError(t, q.Flush(bg))
		require.Empty(t, ran.get())
	})
}

func TestPauseAndStop(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, busy := queue(t, sys, "q"), queue(t, sys, "busy")
		require.NoError(t, q.Pause(bg))
		var ran record
		require.NoError(t, q.Queue(logs(&ran, 1, 0)))
		require.NoError(t, busy.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }))
		paused := make(chan error, 1)
		go func() { paused <- busy.Pause(bg) }()
		synctest.Wait()
		require.NoError(t, sys.Stop(bg))
		require.Equal(t, []int{1}, ran.get(), "a stop resumes: what was accepted is done")
		require.ErrorIs(t, <-paused, cmwq.ErrResumed)
		require.ErrorIs(t, q.Pause(bg), cmwq.ErrStopped)
		require.ErrorIs(t, q.Resume(), cmwq.ErrStopped)
	})
}

// Whenever the pause comes, the stop ends.
func TestStressPauseBesideStop(t *testing.T) {
	for range short.Rounds(100) {
		sys := start(t, silent(), cmwq.WithMemoryPressure(false))
		q := queue(t, sys, "q")
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for q.Pause(bg) == nil {
					if q.Go(nop) != nil {
						return
					}
				}
			})
		}
		require.NoError(t, q.Go(nop))
		ctx, cancel := context.WithTimeout(bg, 20*time.Second)
		require.NoError(t, sys.Stop(ctx))
		cancel()
		wg.Wait()
	}
}

func TestPauseIsRefused(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		require.ErrorIs(t, sys.Managed().Pause(bg), cmwq.ErrSystemQueue)
		require.ErrorIs(t, sys.Managed().Resume(), cmwq.ErrSystemQueue)
		q := queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		ended := make(chan error, 1)
		go func() { ended <- q.Destroy(bg) }()
		synctest.Wait()
		require.ErrorIs(t, q.Pause(bg), cmwq.ErrDestroyed, "it would never end")
		g.open <- struct{}{}
		require.NoError(t, <-ended)
		require.ErrorIs(t, q.Pause(bg), cmwq.ErrDestroyed)
		require.ErrorIs(t, q.Resume(), cmwq.ErrDestroyed)
		require.False(t, q.Paused())
	})
}

// An item may pause another queue, not its own; and a flush of a paused queue is no
// deadlock, since somebody may resume it.
func TestPauseInsideAnItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q, other := queue(t, sys, "q", cmwq.MaxActive(1)), queue(t, sys, "other")
		err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error { return q.Pause(ctx) })
		requireDeadlock(t, err, "q", "q")
		require.False(t, q.Paused(), "what was refused has not begun")
		err = inItem(t, other, func(ctx *cmwq.Context, self *cmwq.Work) error {
			if err := q.Go(func(ctx *cmwq.Context) error { return self.Flush(ctx) }); err != nil {
				return err
			}
			_ = ctx.Sleep(time.Millisecond)
			return q.Pause(ctx)
		})
		requireDeadlock(t, err, "other", "q")
		require.NoError(t, inItem(t, other, func(ctx *cmwq.Context, _ *cmwq.Work) error { return q.Pause(ctx) }))
		require.NoError(t, q.Go(nop))
		go func() { time.Sleep(time.Second); _ = q.Resume() }()
		require.NoError(t, inItem(t, other, func(ctx *cmwq.Context, _ *cmwq.Work) error { return q.Flush(ctx) }))
		require.ErrorIs(t, inItem(t, sys.BH(), func(ctx *cmwq.Context, _ *cmwq.Work) error { return q.Pause(ctx) }), cmwq.ErrAtomic)
	}, noGauges())
}

// A slot of a paused queue is for Resume to free, whoever has one: what never ends is found
// out then.
func TestPauseAndADeadlock(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		flushed := make(chan error, 1)
		go1 := make(chan struct{})
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			<-go1
			w := cmwq.NewWork(nop)
			if err := q.Queue(w); err != nil {
				return err
			}
			flushed <- w.Flush(ctx)
			return nil
		}))
		require.ErrorIs(t, q.Pause(soon(t)), context.DeadlineExceeded)
		close(go1)
		time.Sleep(time.Second)
		require.Empty(t, flushed)
		require.NoError(t, q.Resume())
		requireDeadlock(t, <-flushed, "q", "q")
	}, noGauges())
}

func TestPauseByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q")
		var ran record
		require.Equal(t, []any{&messages.Paused{}}, p.asks(q.PID(), &messages.Pause{}))
		require.NoError(t, q.Queue(logs(&ran, 1, 0)))
		time.Sleep(time.Second)
		require.Empty(t, ran.get())
		require.Equal(t, []any{&messages.Resumed{}}, p.asks(q.PID(), &messages.Resume{}))
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1}, ran.get())
		require.Equal(t, []any{&messages.Paused{Err: cmwq.ErrSystemQueue}}, p.asks(fam.Managed().PID(), &messages.Pause{}))
	})
}

// TestStressPause pauses and resumes beside producers, cancels, and a freeze.
func TestStressPause(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	sys := start(t, silent(), machine)
	for _, opts := range [][]cmwq.QueueOption{
		{cmwq.Freezable()}, {cmwq.MaxActive(2)}, {cmwq.Ordered(), cmwq.Freezable()}, {cmwq.PerCPU()}, {cmwq.Unbound(), cmwq.Freezable()}, {cmwq.BH()},
	} {
		q := queue(t, sys, "q", opts...)
		var m meter
		var wg sync.WaitGroup
		stop := make(chan struct{})
		var cancelled, queued [3]int32
		for p := range 3 {
			wg.Go(func() {
				for i := range short.Rounds(1500) {
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
		var end atomic.Bool
		freezes := make(chan struct{})
		go func() {
			defer close(freezes)
			for !end.Load() {
				_ = sys.Freeze(bg)
				sys.Thaw()
			}
		}()
		go func() { wg.Wait(); close(stop) }()
		for ended := false; !ended; {
			require.NoError(t, q.Pause(bg))
			if n := m.in.Load(); n != 0 {
				t.Error("paused, and an item runs", n)
			}
			runtime.Gosched()
			require.NoError(t, q.Resume())
			select {
			case <-stop:
				ended = true
			default:
			}
		}
		end.Store(true)
		<-freezes
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
