package cmwq_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// keyedRow queues a gate and three recording items with one key.
func keyedRow(t *testing.T, q *cmwq.Queue, got *record) (*gate, []*cmwq.Work) {
	t.Helper()
	g, key := newGate(), q.Keyed("k")
	require.NoError(t, key.Queue(g.Work))
	var row []*cmwq.Work
	for i := range 3 {
		w := cmwq.NewWork(func(*cmwq.Context) error { got.add(i); return nil })
		require.NoError(t, key.Queue(w))
		row = append(row, w)
	}
	return g, row
}

// Whatever is cancelled, running, first or held, the others of its key run, in
// order, and nothing waits for ever.
func TestCancelOfKeyedItems(t *testing.T) {
	for name, short := range map[string]bool{"one by one": false, "leased together": true} {
		for i := range 3 {
			t.Run(name, func(t *testing.T) {
				bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q")
					if short {
						teach(t, q)
					}
					var got record
					g, row := keyedRow(t, q, &got)
					<-g.entered
					require.Equal(t, cmwq.Busy{Pending: true}, row[i].Busy())
					require.True(t, row[i].Cancel())
					require.False(t, row[i].Cancel())
					require.Equal(t, cmwq.Busy{}, row[i].Busy())
					g.open <- struct{}{}
					require.NoError(t, q.Flush(bg))
					require.Equal(t, append([]int{0, 1, 2}[:i:i], []int{0, 1, 2}[i+1:]...), got.get())
				})
			})
		}
	}
}

// The first item of a key may wait for a slot, and be cancelled there: the next
// one gets its turn.
func TestCancelOfAFirstItemThatWaitsForASlot(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		plain := newGate()
		require.NoError(t, q.Queue(plain.Work))
		<-plain.entered
		var got record
		g, row := keyedRow(t, q, &got)
		require.True(t, g.Cancel(), "inactive")
		wasPending, err := row[0].CancelWait(bg)
		require.NoError(t, err)
		require.True(t, wasPending, "it followed")
		plain.open <- struct{}{}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1, 2}, got.get())
	})
}

func TestCancelWaitOfARunningKeyedItem(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var got record
		key, entered := q.Keyed("k"), make(chan struct{})
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			close(entered)
			_ = ctx.Sleep(time.Hour)
			got.add(-1)
			return nil
		})
		at := since()
		require.NoError(t, key.Queue(w))
		require.NoError(t, key.Go(func(*cmwq.Context) error { got.add(1); return nil }))
		<-entered
		wasPending, err := w.CancelWait(bg)
		require.NoError(t, err)
		require.False(t, wasPending)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{-1, 1}, got.get())
		require.Zero(t, at())
	})
}

// A flush of one item waits for it and for what is before it in its key, not for
// what is behind it.
func TestFlushOfAHeldItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at, key := since(), q.Keyed("k")
		var row []*cmwq.Work
		for range 4 {
			w := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) })
			require.NoError(t, key.Queue(w))
			row = append(row, w)
		}
		var wg sync.WaitGroup
		var ended [4]int
		for i, w := range row {
			wg.Go(func() {
				if err := w.Flush(bg); err != nil {
					t.Error(err)
				}
				ended[i] = at()
			})
		}
		wg.Wait()
		require.Equal(t, [4]int{10, 20, 30, 40}, ended)
	})
}

// Flush, Drain and Destroy of the queue wait for what is held.
func TestTheQueueWaitsForItsKeys(t *testing.T) {
	for name, wait := range map[string]func(*cmwq.Queue) error{
		"flush":   func(q *cmwq.Queue) error { return q.Flush(bg) },
		"drain":   func(q *cmwq.Queue) error { return q.Drain(bg) },
		"destroy": func(q *cmwq.Queue) error { return q.Destroy(bg) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				at, key := since(), q.Keyed("k")
				for range 5 {
					require.NoError(t, key.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) }))
				}
				require.NoError(t, wait(q))
				require.Equal(t, 50, at())
				err := key.Go(func(*cmwq.Context) error { return nil })
				if name == "destroy" {
					require.ErrorIs(t, err, cmwq.ErrDestroyed)
				} else {
					require.NoError(t, err)
				}
			})
		})
	}
}

// Items that queue themselves with their key take turns with what was queued
// meanwhile, and a drain lets them end.
func TestSelfRequeueKeepsTheOrderOfItsKey(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		teach(t, q)
		var got record
		again := func(id, times int) *cmwq.Work {
			w := cmwq.NewWork(nil)
			w.Func = func(ctx *cmwq.Context) error {
				got.add(id)
				if times--; times > 0 {
					return cmwq.CurrentQueue(ctx).Keyed("k").Queue(w)
				}
				return nil
			}
			return w
		}
		g := newGate()
		key := q.Keyed("k")
		require.NoError(t, key.Queue(g.Work))
		<-g.entered
		require.NoError(t, key.Queue(again(1, 3)))
		require.NoError(t, key.Queue(again(2, 3)))
		drained := make(chan error, 1)
		go func() { drained <- q.Drain(bg) }()
		synctest.Wait()
		g.open <- struct{}{}
		require.NoError(t, <-drained)
		require.Equal(t, []int{1, 2, 1, 2, 1, 2}, got.get())
	})
}

// A stop by force reports what was held, each once.
func TestAForcedStopReportsWhatIsHeld(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		key, entered := q.Keyed("k"), make(chan struct{})
		require.NoError(t, key.Go(func(ctx *cmwq.Context) error {
			close(entered)
			<-ctx.Done()
			return nil
		}))
		<-entered
		var futures []*cmwq.Future[int]
		for range 10 {
			futures = append(futures, cmwq.Submit(key, func(*cmwq.Context) (int, error) { return 0, nil }))
		}
		err := sys.Stop(ended())
		var stop *cmwq.StopError
		require.ErrorAs(t, err, &stop)
		require.Equal(t, 10, stop.Dropped)
		for _, f := range futures {
			_, err := f.Wait(bg)
			require.ErrorIs(t, err, cmwq.ErrStopped)
		}
		require.ErrorIs(t, key.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrStopped)
	})
}

// Armed items get their place when they are due; Modify moves an item from one
// key to another.
func TestKeyedDelays(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		var got record
		slow := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(30 * time.Millisecond) })
		w := cmwq.NewWork(func(*cmwq.Context) error { got.add(at()); return nil })
		require.NoError(t, q.Keyed("a").Queue(slow))
		require.NoError(t, q.Keyed("a").QueueAfter(10*time.Millisecond, w))
		require.ErrorIs(t, q.Keyed("a").QueueAfter(10*time.Millisecond, w), cmwq.ErrPending)
		require.NoError(t, w.Flush(bg))
		require.Equal(t, []int{30}, got.get(), "behind the slow one")

		require.NoError(t, q.Keyed("a").Queue(slow))
		require.NoError(t, q.Keyed("a").QueueAfter(10*time.Millisecond, w))
		wasPending, err := q.Keyed("b").Modify(20*time.Millisecond, w)
		require.NoError(t, err)
		require.True(t, wasPending)
		require.NoError(t, q.Flush(bg))
		time.Sleep(time.Millisecond)
		require.Equal(t, []int{30, 50}, got.get(), "of key b now")

		require.NoError(t, q.Keyed("a").Queue(slow))
		require.NoError(t, q.Keyed("a").Queue(w))
		wasPending, err = q.Keyed("b").Modify(0, w)
		require.NoError(t, err)
		require.True(t, wasPending)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{30, 50, 61}, got.get())

		require.NoError(t, q.Keyed("a").QueueAfter(time.Hour, w))
		require.NoError(t, q.Destroy(bg))
		require.Equal(t, cmwq.Busy{}, w.Busy(), "disarmed and reported")
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 1, st.Dropped)
	})
}

// ended gives a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(bg)
	cancel()
	return ctx
}
