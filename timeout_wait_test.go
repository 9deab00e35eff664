package cmwq_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// failures keeps what failed.
type failures struct {
	mu  sync.Mutex
	all []error
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, err)
}

func (f *failures) option() cmwq.Option {
	return cmwq.WithOnFailure(func(_ string, err error) { f.add(err) })
}

// timeouts are the failures, all of which must be timeouts.
func (f *failures) timeouts(t *testing.T) (all []cmwq.TimeoutError) {
	t.Helper()
	for _, err := range f.all {
		e, ok := errors.AsType[*cmwq.TimeoutError](err)
		require.True(t, ok, err)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		all = append(all, *e)
	}
	return all
}

func sleeps(d time.Duration) func(*cmwq.Context) error {
	return func(c *cmwq.Context) error { return c.Sleep(d) }
}

func lateItem(*cmwq.Context) error { panic("it was called") }

// What waits for longer than MaxWait is not called, whatever it waited for.
func TestMaxWait(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			var failed failures
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(1), cmwq.MaxWait(30*time.Millisecond))
				require.NoError(t, q.Go(sleeps(20*time.Millisecond)))
				in := 0
				inTime := cmwq.NewWork(func(c *cmwq.Context) error { in++; return c.Sleep(15 * time.Millisecond) })
				require.NoError(t, q.Queue(inTime))
				late := cmwq.NewWork(lateItem)
				require.NoError(t, q.Queue(late))
				require.NoError(t, q.Go(lateItem))
				require.NoError(t, q.QueueAfter(10*time.Millisecond, cmwq.NewWork(inTime.Func)), "it waits from then on")
				time.Sleep(30 * time.Millisecond)
				synctest.Wait()
				require.True(t, late.Busy().Pending, "it keeps its place until its turn")
				require.NoError(t, late.Flush(bg))
				require.Equal(t, cmwq.Busy{}, late.Busy())
				require.NoError(t, q.Flush(bg))
				require.Equal(t, 2, in)
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Equal(t, []int64{5, 2, 2, 0, 0}, []int64{st.Total, st.Failed, st.WaitedOut, st.RanOut, st.Dropped})
				late.Func = inTime.Func
				require.NoError(t, q.Queue(late), "it may be queued again")
				require.NoError(t, q.Destroy(bg))
				require.Equal(t, 3, in)
			}, failed.option())
			require.Len(t, failed.all, 2)
			for _, e := range failed.timeouts(t) {
				require.Equal(t, cmwq.PhaseWaiting, e.Phase)
				require.Equal(t, "q", e.Queue)
				require.Equal(t, 30*time.Millisecond, e.Limit)
				require.Equal(t, 35*time.Millisecond, e.Took)
				require.Equal(t, pkg+"lateItem", e.Func())
				require.True(t, e.Timeout())
			}
		})
	}
}

// An item that is armed does not wait yet; one that a flush queues waits from then on.
func TestArmedItemsDoNotWait(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MaxWait(10*time.Millisecond))
		n := 0
		w := cmwq.NewWork(func(*cmwq.Context) error { n++; return nil })
		for _, v := range []queuer{q, q.With(bg, cmwq.WaitAtMost(10*time.Millisecond))} {
			n = 0
			require.NoError(t, v.QueueAfter(time.Hour, w))
			time.Sleep(time.Hour)
			synctest.Wait()
			require.Equal(t, 1, n)

			require.NoError(t, v.QueueAfter(time.Hour, w))
			time.Sleep(time.Minute)
			require.NoError(t, w.Flush(bg))
			require.Equal(t, 2, n)

			_, err := v.Modify(time.Hour, w)
			require.NoError(t, err)
			was, err := v.Modify(0, w)
			require.NoError(t, err)
			require.True(t, was)
			require.NoError(t, w.Flush(bg))
			require.Equal(t, 3, n)

			require.NoError(t, v.Go(sleeps(10*time.Millisecond)))
			_, err = v.Modify(time.Hour, w)
			require.NoError(t, err)
			_, err = v.Modify(0, w)
			require.NoError(t, err)
			require.NoError(t, w.Flush(bg))
			require.Equal(t, 3, n, "from the Modify on it waited for 10 ms")
		}

		require.NoError(t, q.QueueAfter(time.Hour, w))
		require.NoError(t, q.Go(sleeps(20*time.Millisecond)))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 3, n, "the flush queued it behind an item of 20 ms")
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 3, st.WaitedOut)
	})
}

// queuer is a queue, or a view of it.
type queuer interface {
	cmwq.Queuer
	QueueAfter(d time.Duration, w *cmwq.Work) error
	Modify(d time.Duration, w *cmwq.Work) (bool, error)
	Go(f func(*cmwq.Context) error) error
}

// The shorter limit holds, the queue's or the view's; items of the queue's other users
// have the queue's.
func TestWaitAtMost(t *testing.T) {
	for _, c := range []struct{ queue, view, holds time.Duration }{{0, 10, 10}, {30, 10, 10}, {10, 30, 10}, {10, 0, 10}} {
		var failed failures
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MaxWait(c.queue*time.Millisecond))
			v := q.With(bg, cmwq.WaitAtMost(c.view*time.Millisecond))
			for _, d := range []time.Duration{c.holds - 1, c.holds} {
				require.NoError(t, q.Go(sleeps(d*time.Millisecond)))
				n := 0
				for _, x := range []queuer{v, v.Keyed(1)} {
					require.NoError(t, x.Go(func(*cmwq.Context) error { n++; return nil }))
					require.NoError(t, x.Queue(cmwq.NewWork(func(*cmwq.Context) error { n++; return nil })))
				}
				require.NoError(t, q.Flush(bg))
				if d < c.holds {
					require.Equal(t, 4, n)
				} else {
					require.Zero(t, n)
				}
			}
			require.NoError(t, q.Destroy(bg))
		}, failed.option())
		require.Len(t, failed.all, 4)
		for _, e := range failed.timeouts(t) {
			require.Equal(t, c.holds*time.Millisecond, e.Limit)
			require.Contains(t, e.Func(), "TestWaitAtMost")
		}
	}
}

// A future has its error on the spot, and its function gives up its place.
func TestFutureHasItsErrorOnTheSpot(t *testing.T) {
	for name, submit := range map[string]func(sys *cmwq.System, f func(*cmwq.Context) (int, error)) (*cmwq.Queue, *cmwq.Future[int]){
		"queue": func(sys *cmwq.System, f func(*cmwq.Context) (int, error)) (*cmwq.Queue, *cmwq.Future[int]) {
			q, _ := sys.NewQueue("q", cmwq.Ordered(), cmwq.MaxWait(10*time.Millisecond))
			_ = q.Go(sleeps(time.Hour))
			return q, cmwq.Submit(q, f)
		},
		"key": func(sys *cmwq.System, f func(*cmwq.Context) (int, error)) (*cmwq.Queue, *cmwq.Future[int]) {
			q, _ := sys.NewQueue("q", cmwq.MaxWait(10*time.Millisecond))
			_ = q.Keyed(1).Go(sleeps(time.Hour))
			return q, cmwq.Submit(q.Keyed(1), f)
		},
		"view": func(sys *cmwq.System, f func(*cmwq.Context) (int, error)) (*cmwq.Queue, *cmwq.Future[int]) {
			q, _ := sys.NewQueue("q", cmwq.Ordered())
			_ = q.Go(sleeps(time.Hour))
			return q, cmwq.Submit(q.With(bg, cmwq.WaitAtMost(10*time.Millisecond)), f)
		},
		"deadline": func(sys *cmwq.System, f func(*cmwq.Context) (int, error)) (*cmwq.Queue, *cmwq.Future[int]) {
			q, _ := sys.NewQueue("q", cmwq.Ordered())
			_ = q.Go(sleeps(time.Hour))
			ctx, cancel := context.WithTimeout(bg, 10*time.Millisecond)
			time.AfterFunc(time.Hour, cancel)
			return q, cmwq.Submit(q.With(ctx, cmwq.FollowDeadline()), f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var failed failures
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				at := since()
				q, fut := submit(sys, func(*cmwq.Context) (int, error) { t.Error("ran"); return 0, nil })
				_, err := fut.Wait(bg)
				require.Equal(t, 10, at())
				e, ok := errors.AsType[*cmwq.TimeoutError](err)
				require.True(t, ok, err)
				require.Equal(t, cmwq.PhaseWaiting, e.Phase)
				require.Equal(t, 10*time.Millisecond, e.Took)
				require.Contains(t, e.Func(), "TestFutureHasItsErrorOnTheSpot")
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Equal(t, []int64{1, 1, 1}, []int64{st.Total, st.Failed, st.WaitedOut})
				require.Equal(t, 1, st.Active+st.Inactive, "only the sleeps")
				require.NoError(t, q.Destroy(bg))
			}, failed.option())
			require.Len(t, failed.all, 1)
		})
	}
}

// A future whose turn comes in time is not given up any more, however long it runs.
func TestFutureThatBeganIsNotGivenUp(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxWait(10*time.Millisecond))
		fut := cmwq.Submit(q, func(c *cmwq.Context) (int, error) { return 42, c.Sleep(time.Second) })
		v, err := fut.Wait(bg)
		require.NoError(t, err)
		require.Equal(t, 42, v)
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Zero(t, st.Failed)
	})
}
