package cmwq_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

var bg = context.Background()

// gate is an item that waits, declared, until it is let go.
type gate struct {
	*cmwq.Work
	entered chan struct{}
	open    chan struct{}
}

func newGate() *gate {
	g := &gate{entered: make(chan struct{}, 100), open: make(chan struct{}, 100)}
	g.Work = cmwq.NewWork(func(ctx *cmwq.Context) error {
		g.entered <- struct{}{}
		ctx.Block(func() { <-g.open })
		return nil
	})
	return g
}

func TestQueueRunsOnceForEachAcceptance(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			sys := start(t)
			q := queue(t, sys, "q", kind)
			g := newGate()
			var n atomic.Int32
			w := cmwq.NewWork(func(*cmwq.Context) error { n.Add(1); return nil })
			require.NoError(t, q.Queue(g.Work))
			<-g.entered
			require.Equal(t, cmwq.Busy{Running: true}, g.Busy())
			require.NoError(t, q.Queue(g.Work), "a running item that is not pending is accepted")
			require.ErrorIs(t, q.Queue(g.Work), cmwq.ErrPending)
			require.Equal(t, cmwq.Busy{Pending: true, Running: true}, g.Busy())
			require.NoError(t, q.Queue(w))
			if name != "ordered" { // there it waits behind the gate's second run
				require.NoError(t, w.Flush(bg))
				require.EqualValues(t, 1, n.Load())
			}
			g.open <- struct{}{}
			g.open <- struct{}{}
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 1, n.Load())
			require.Equal(t, cmwq.Busy{}, g.Busy())
			require.LessOrEqual(t, len(g.entered), 1, "it ran twice, no more")
		})
	}
}

func TestOrderedIsFIFOAndOneAtATime(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "ordered", cmwq.Ordered())
	var in atomic.Int32
	var got []int // written by one item at a time
	items := short.Rounds(20000)
	for i := range items {
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			if in.Add(1) != 1 {
				t.Error("two at once")
			}
			if i%500 == 0 {
				_ = ctx.Sleep(50 * time.Microsecond)
			}
			got = append(got, i)
			in.Add(-1)
			return nil
		}))
	}
	require.NoError(t, q.Flush(bg))
	require.Len(t, got, items)
	for i, v := range got {
		require.Equal(t, i, v)
	}
	require.ErrorIs(t, q.SetMaxActive(2), cmwq.ErrOrdered)
}

func TestWidthOneStartsInOrder(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		for _, kind := range []cmwq.QueueOption{cmwq.PerCPU(), cmwq.MaxActive(0)} {
			q := queue(t, sys, "q", kind)
			var got []int
			g := newGate()
			require.NoError(t, q.Queue(g.Work))
			<-g.entered
			for i := range 1000 {
				require.NoError(t, q.Go(func(*cmwq.Context) error { got = append(got, i); return nil }))
			}
			g.open <- struct{}{}
			require.NoError(t, q.Flush(bg))
			for i, v := range got {
				require.Equal(t, i, v)
			}
			require.NoError(t, q.Destroy(bg))
			synctest.Wait()
		}
	})
}

func TestMaxActiveHoldsBlockedItemsToo(t *testing.T) {
	for name, kind := range map[string]cmwq.QueueOption{"managed": cmwq.HighPri(), "unbound": cmwq.Unbound(), "percpu": cmwq.PerCPU()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(3))
				at := since()
				var in, most, done atomic.Int32
				for range 12 {
					require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
						raise(&most, in.Add(1))
						defer in.Add(-1)
						done.Add(1)
						return ctx.Sleep(10 * time.Millisecond)
					}))
				}
				synctest.Wait()
				require.EqualValues(t, 3, done.Load())
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Equal(t, 3, st.Active)
				require.Equal(t, 9, st.Inactive)
				require.NoError(t, q.SetMaxActive(6), "raising starts waiting items at once")
				synctest.Wait()
				require.EqualValues(t, 6, done.Load())
				require.Equal(t, 0, at())
				require.NoError(t, q.SetMaxActive(1), "lowering stops none")
				synctest.Wait()
				require.EqualValues(t, 6, in.Load())
				time.Sleep(10 * time.Millisecond)
				synctest.Wait()
				require.EqualValues(t, 1, in.Load(), "and starts none before there is room")
				require.NoError(t, q.Flush(bg))
				require.Equal(t, 70, at())
				require.EqualValues(t, 6, most.Load())
			})
		})
	}
}

func TestMaxActiveIsClamped(t *testing.T) {
	sys := start(t, silent())
	for asked, want := range map[int]int{0: 1024, -5: 1, 1: 1, 2048: 2048, 5000: 2048} {
		q := queue(t, sys, "q", cmwq.MaxActive(asked))
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, want, st.MaxActive, "asked %d", asked)
		require.NoError(t, q.Destroy(bg))
		waitGone(sys, "q")
	}
}

// waitGone waits until the name is free: Destroy returns when the work is done.
func waitGone(sys *cmwq.System, name string) {
	for sys.Queue(name) != nil {
		time.Sleep(time.Microsecond)
	}
}

func TestFlushWaitsForWhatWasBefore(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		sleep := func(ms time.Duration) func(*cmwq.Context) error {
			return func(ctx *cmwq.Context) error { return ctx.Sleep(ms * time.Millisecond) }
		}
		require.NoError(t, q.Go(sleep(10)))
		require.NoError(t, q.QueueAfter(5*time.Millisecond, cmwq.NewWork(sleep(100))), "not for timers")
		first := make(chan int, 1)
		go func() { _ = q.Flush(bg); first <- at() }()
		synctest.Wait()
		require.NoError(t, q.Go(sleep(50)), "not for later ones")
		second := make(chan int, 1)
		go func() { _ = q.Flush(bg); second <- at() }()
		require.Equal(t, 10, <-first)
		require.Equal(t, 50, <-second)
		ctx, cancel := context.WithTimeout(bg, time.Millisecond)
		defer cancel()
		require.ErrorIs(t, q.Flush(ctx), context.DeadlineExceeded)
	})
}

func TestManyFlushersAtOnce(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		order := make(chan int, 40)
		for i := range 40 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				return ctx.Sleep(time.Duration(1+i) * time.Millisecond)
			}))
			go func() { _ = q.Flush(bg); order <- i }()
			synctest.Wait()
		}
		for i := range 40 {
			require.Equal(t, i, <-order)
		}
	})
}

func TestFlushCannotBeStarved(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				_ = q.Go(func(*cmwq.Context) error { return nil })
			}
		}
	}()
	for range 20 {
		require.NoError(t, q.Flush(bg))
	}
	close(stop)
	<-ended
}
