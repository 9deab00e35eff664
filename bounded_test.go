package cmwq_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// allKinds are the kinds of queue with one item at a time, so that a gate holds up
// what is behind it.
var allKinds = map[string][]cmwq.QueueOption{
	"managed": {cmwq.MaxActive(1)}, "percpu": {cmwq.PerCPU(), cmwq.MaxActive(1)},
	"unbound": {cmwq.Unbound(), cmwq.MaxActive(1)}, "ordered": {cmwq.Ordered()}, "bh": {cmwq.BH()},
}

// plainGate is a gate for items that may not sleep, too.
func plainGate() (f func(*cmwq.Context) error, open chan struct{}) {
	open = make(chan struct{})
	return func(*cmwq.Context) error { <-open; return nil }, open
}

// full makes a bounded queue whose one running item waits for open, and fills it.
func full(t *testing.T, sys *cmwq.System, n int, when cmwq.WhenFull, opts ...cmwq.QueueOption) (q *cmwq.Queue, open chan struct{}) {
	t.Helper()
	q = queue(t, sys, "q", append(opts, cmwq.Bounded(n, when))...)
	f, open := plainGate()
	require.NoError(t, q.Go(f))
	synctest.Wait() // it has begun
	return q, open
}

func nop(*cmwq.Context) error { return nil }

func TestBoundedRefusesWhatIsBeyond(t *testing.T) {
	for name, kind := range allKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, open := full(t, sys, 3, cmwq.Refuse, kind...)
				w, again := cmwq.NewWork(nop), cmwq.NewWork(nop)
				require.NoError(t, q.Queue(w))
				require.NoError(t, q.Go(nop))
				require.NoError(t, q.Keyed("k").Queue(again))
				require.ErrorIs(t, q.Go(nop), cmwq.ErrFull)
				require.ErrorIs(t, q.Queue(cmwq.NewWork(nop)), cmwq.ErrFull)
				require.ErrorIs(t, q.QueueOn(0, cmwq.NewWork(nop)), cmwq.ErrFull)
				require.ErrorIs(t, q.QueueAfter(time.Hour, cmwq.NewWork(nop)), cmwq.ErrFull)
				require.ErrorIs(t, q.Keyed("k").Go(nop), cmwq.ErrFull)
				require.ErrorIs(t, q.Queue(w), cmwq.ErrPending, "which it is")
				require.ErrorIs(t, q.Queue(&cmwq.Work{}), cmwq.ErrNoFunc)
				_, err := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 1, nil }).Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrFull)
				wasPending, err := q.Modify(0, cmwq.NewWork(nop))
				require.ErrorIs(t, err, cmwq.ErrFull)
				require.False(t, wasPending)
				wasPending, err = q.Modify(time.Hour, w)
				require.NoError(t, err, "it has room")
				require.True(t, wasPending)
				require.ErrorIs(t, q.Go(nop), cmwq.ErrFull, "and keeps it")
				require.True(t, w.Cancel())
				require.NoError(t, q.Go(nop), "room of a cancelled item")
				require.True(t, again.Cancel())
				require.NoError(t, q.Go(nop))
				require.ErrorIs(t, q.Go(nop), cmwq.ErrFull)
				close(open)
				require.NoError(t, q.Flush(bg))
				for range 3 {
					require.NoError(t, q.QueueAfter(time.Hour, cmwq.NewWork(nop)), "nothing waits any more")
				}
				require.ErrorIs(t, q.Go(nop), cmwq.ErrFull, "armed ones have room")
				time.Sleep(2 * time.Hour)
				require.NoError(t, q.Go(nop))
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Dropped)
			})
		})
	}
}

// An item that is Modified to go to another queue takes room there, and gives back
// what it had.
func TestBoundedModifyToAnotherQueue(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		a := queue(t, sys, "a", cmwq.Bounded(1, cmwq.Refuse))
		b := queue(t, sys, "b", cmwq.Bounded(1, cmwq.Refuse))
		w, other := cmwq.NewWork(nop), cmwq.NewWork(nop)
		require.NoError(t, a.QueueAfter(time.Hour, w))
		wasPending, err := b.Modify(time.Hour, w)
		require.NoError(t, err)
		require.True(t, wasPending)
		require.ErrorIs(t, b.Go(nop), cmwq.ErrFull)
		require.NoError(t, a.QueueAfter(time.Hour, other))
		wasPending, err = a.Modify(time.Hour, w)
		require.ErrorIs(t, err, cmwq.ErrFull)
		require.True(t, wasPending)
		require.Equal(t, cmwq.Busy{}, w.Busy(), "what was pending, and is not taken, is idle")
		require.NoError(t, b.Go(nop), "and has room nowhere")
		require.True(t, other.Cancel())
		require.NoError(t, a.Go(nop))
	})
}

func TestBoundedCallersGetRoomInOrder(t *testing.T) {
	for name, kind := range allKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, open := full(t, sys, 1, cmwq.Refuse, kind...)
				hold := cmwq.NewWork(func(*cmwq.Context) error { <-open; return nil })
				require.NoError(t, q.Queue(hold))
				var in record
				gaveUp := make(chan error, 1)
				for i := range 5 {
					ctx, cancel := context.WithCancelCause(bg)
					go func() {
						err := q.GoContext(ctx, func(*cmwq.Context) error { in.add(i); <-open; return nil })
						if i == 2 {
							gaveUp <- err
						}
					}()
					synctest.Wait()
					if i == 2 {
						cancel(context.DeadlineExceeded)
						require.ErrorIs(t, <-gaveUp, context.DeadlineExceeded)
					}
					defer cancel(nil)
				}
				require.Equal(t, []int(nil), in.get())
				for i := range 5 {
					open <- struct{}{} // one ends, the next begins, one more is taken
					synctest.Wait()
					if i < 4 {
						require.ErrorIs(t, q.Go(nop), cmwq.ErrFull, "nobody goes before those who wait")
					}
				}
				open <- struct{}{}
				synctest.Wait()
				require.Equal(t, []int{0, 1, 3, 4}, in.get())
				require.NoError(t, q.Flush(bg))
			})
		})
	}
}

func TestBoundedCallersAreToldWhenTheQueueEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(ctx context.Context, sys *cmwq.System, q *cmwq.Queue) error
		want error
	}{
		"drain":   {func(ctx context.Context, _ *cmwq.System, q *cmwq.Queue) error { return q.Drain(ctx) }, cmwq.ErrDraining},
		"destroy": {func(ctx context.Context, _ *cmwq.System, q *cmwq.Queue) error { return q.Destroy(ctx) }, cmwq.ErrDestroyed},
		"stop":    {func(ctx context.Context, sys *cmwq.System, _ *cmwq.Queue) error { return sys.Stop(ctx) }, cmwq.ErrStopped},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, open := full(t, sys, 1, cmwq.Refuse, cmwq.Ordered())
				require.NoError(t, q.Go(nop))
				told := make(chan error, 3)
				for range 3 {
					go func() { told <- q.GoContext(bg, nop) }()
				}
				synctest.Wait()
				ended := make(chan error, 1)
				go func() { ended <- c.end(bg, sys, q) }()
				for range 3 {
					require.ErrorIs(t, <-told, c.want)
				}
				require.Empty(t, ended, "its items still run")
				close(open)
				require.NoError(t, <-ended)
				if name == "drain" {
					require.NoError(t, q.GoContext(bg, nop), "it takes work again")
				}
			})
		})
	}
}

// An item that waits for room sleeps: its worker holds up nobody.
func TestBoundedWaitInsideAnItemIsASleep(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		to, open := full(t, sys, 1, cmwq.Refuse, cmwq.Ordered())
		require.NoError(t, to.Go(nop))
		q := queue(t, sys, "other", cmwq.PerCPU())
		got := make(chan error, 2)
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { got <- to.GoContext(ctx, nop); return nil }))
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { got <- to.GoContext(ctx, nop); return nil })
		require.NoError(t, q.Queue(w))
		require.NoError(t, q.Go(func(*cmwq.Context) error { close(open); return nil }))
		require.NoError(t, <-got)
		require.NoError(t, <-got)
		b := queue(t, sys, "bh", cmwq.BH(), cmwq.Bounded(1, cmwq.Refuse))
		require.NoError(t, b.Go(func(ctx *cmwq.Context) error {
			_ = b.Go(nop)
			got <- b.GoContext(ctx, nop)
			return nil
		}))
		require.ErrorIs(t, <-got, cmwq.ErrAtomic)
	})
}

// A periodic item that finds no room misses the instant.
func TestBoundedSeriesMissesInstants(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, open := full(t, sys, 1, cmwq.Refuse, cmwq.Ordered())
		hold := cmwq.NewWork(nop)
		require.NoError(t, q.Queue(hold))
		s, err := q.Every(cmwq.Interval(time.Second), cmwq.NewWork(nop))
		require.NoError(t, err)
		time.Sleep(3500 * time.Millisecond)
		st := s.Stats()
		require.EqualValues(t, 3, st.Missed)
		close(open)
		time.Sleep(2 * time.Second)
		st = s.Stats()
		require.EqualValues(t, 2, st.Runs)
		require.True(t, s.Stop())
		require.NoError(t, q.Go(nop), "a series itself has no room, and gives none back")
		require.NoError(t, q.Flush(bg))
	})
}

func TestBoundedDropsTheOldest(t *testing.T) {
	for name, kind := range allKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q, open := full(t, sys, 3, cmwq.DropOldest, kind...)
				var ran record
				var futs []*cmwq.Future[int]
				for i := range 10 {
					f := func(*cmwq.Context) (int, error) { ran.add(i); return i, nil }
					var to cmwq.Queuer = q
					if i%3 == 1 {
						to = q.Keyed(i % 2)
					}
					futs = append(futs, cmwq.Submit(to, f))
				}
				synctest.Wait()
				for i, fut := range futs[:7] {
					_, err := fut.Wait(bg)
					require.ErrorIs(t, err, cmwq.ErrDropped, "%d", i)
				}
				close(open)
				require.NoError(t, q.Flush(bg))
				require.ElementsMatch(t, []int{7, 8, 9}, ran.get())
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.EqualValues(t, 7, st.Dropped)
				for range 3 {
					require.NoError(t, q.QueueAfter(time.Hour, cmwq.NewWork(nop)))
				}
				require.ErrorIs(t, q.Go(nop), cmwq.ErrFull, "nothing but armed items, which are never dropped")
			})
		})
	}
}

// Items of several keys wait for each other on several lists; the oldest of all goes.
func TestBoundedDropsTheOldestOfKeys(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Bounded(6, cmwq.DropOldest), cmwq.MaxActive(1))
		f, open := plainGate()
		require.NoError(t, q.Keyed(0).Go(f))
		synctest.Wait()
		var ran record
		var futs []*cmwq.Future[int]
		for i := range 20 {
			futs = append(futs, cmwq.Submit(q.Keyed(i*i%3), func(*cmwq.Context) (int, error) { ran.add(i); return i, nil }))
			for j, fut := range futs {
				select {
				case <-fut.Done():
					require.Less(t, j, len(futs)-6)
				default:
					require.GreaterOrEqual(t, j, len(futs)-6)
				}
			}
		}
		close(open)
		require.NoError(t, q.Flush(bg))
		require.ElementsMatch(t, []int{14, 15, 16, 17, 18, 19}, ran.get())
	})
}

func TestBoundedOptionIsChecked(t *testing.T) {
	sys := start(t)
	for i, opt := range []cmwq.QueueOption{cmwq.Bounded(0, cmwq.Refuse), cmwq.Bounded(-1, cmwq.Refuse), cmwq.Bounded(1, 2), cmwq.Bounded(1<<31, cmwq.Refuse)} {
		_, err := sys.NewQueue(fmt.Sprint(i), opt)
		require.ErrorIs(t, err, cmwq.ErrOption)
	}
}
